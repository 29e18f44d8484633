"""Checks that the files for GitHub name what there is: scripts, tasks, inputs, folders, crates."""

import pathlib
import re
import subprocess
import sys

from ruamel.yaml import YAML

wrong = []


def read(path):
    return YAML(typ="safe").load(pathlib.Path(path).read_text("utf-8"))


def text(path):
    return pathlib.Path(path).read_text("utf-8")


def expect(what, found, expected):
    """Notes that two sets are not the same."""
    for name in sorted(set(expected) - set(found)):
        wrong.append(f"{what}: {name} is missing")
    for name in sorted(set(found) - set(expected)):
        wrong.append(f"{what}: {name} is there and should not be")


def jobs(script):
    """The jobs that a script of .ci/ gives to .ci/jobs."""
    return re.findall(r"^    ([a-z-]+) +# ", text(script), re.MULTILINE)


ci = read(".github/workflows/ci.yml")["jobs"]
for job, script in [("change", ".ci/run"), ("long", ".ci/long")]:
    assert len(jobs(script)) > 5, script
    expect(f"ci.yml, {job}", ci[job]["strategy"]["matrix"]["script"], jobs(script))

# The names that CI may skip are names that a script uses.
scripts = [path for path in pathlib.Path(".ci").iterdir() if path.is_file()]
names = set(re.findall(r"not_tested ([a-z-]+) ", " ".join(map(text, scripts))))
usual = re.search(r"^usual=\((.*?)^\)", text(".ci/common"), re.M | re.S)[1]
usual = re.findall(r"^    ([a-z-]+) +# ", usual, re.M)
expect("usual in .ci/common", set(usual) - names, [])
allowed = read(".github/workflows/ci.yml")["env"]["PLACEMAT_CI_MAY_SKIP"].split(",")
expect("PLACEMAT_CI_MAY_SKIP in ci.yml", set(allowed) - set(usual), [])

tasks = re.search(r'const USAGE.*?";', text("xtask/src/main.rs"), re.S)[0]
tasks = re.findall(r"^  ([a-z-]+) ", tasks, re.M)
for path in sorted(pathlib.Path(".github/workflows").glob("*.yml")):
    for name, job in read(path)["jobs"].items():
        if "timeout-minutes" not in job:
            wrong.append(f"{path}, {name}: has no timeout-minutes")
        for step in job["steps"]:
            run, where = step.get("run", ""), f"{path}, {name}"
            for script in re.findall(r"\.(?:ci|github)/[a-z-]+", run):
                if not pathlib.Path(script).is_file():
                    wrong.append(f"{where}: there is no {script}")
            for task in re.findall(r"cargo xtask ([a-z-]+)", run):
                if task not in tasks:
                    wrong.append(f"{where}: there is no task {task}")
            for argument in re.findall(r"\.github/prepare ([a-z]+)", run):
                if f"\n    {argument})" not in text(".github/prepare"):
                    wrong.append(f"{where}: .github/prepare does not know {argument}")
            # Text of an event in a script would be a command.
            if "${{" in run:
                wrong.append(f"{where}: an expression in `run`; put it into `env`")

for path in pathlib.Path(".github/actions").glob("*/action.yml"):
    action = read(path)
    expect(f"{path}: inputs", set(re.findall(r"\binputs\.([a-z-]+)", text(path))), action["inputs"])
    variables, script = set(), ""
    for step in action["runs"]["steps"]:
        variables |= set(step.get("env", {}))
        script += text(path.parent / re.search(r"\$GITHUB_ACTION_PATH/([a-z]+)", step["run"])[1])
    expect(f"{path}: variables", set(re.findall(r"\bPLACEMAT_[A-Z]+", script)), variables)

# The default of the action is the version that is released with it.
version = re.search(r'^version = "(.*)"', text("Cargo.toml"), re.M)[1]
installed = read(".github/actions/check/action.yml")["inputs"]["version"]["default"]
expect("the action: version", [installed], [version])

updates = read(".github/dependabot.yml")["updates"]
listed = {update["package-ecosystem"]: set() for update in updates}
for update in updates:
    listed[update["package-ecosystem"]] |= set(update.get("directories", [update.get("directory")]))
tracked = subprocess.run(["git", "ls-files", "-z"], capture_output=True, check=True).stdout
tracked = [pathlib.Path(name) for name in tracked.decode().split("\0")]
for ecosystem, name in [("cargo", "Cargo.lock"), ("npm", "package.json"), ("pip", "pyproject.toml")]:
    folders = {f"/{path.parent}".removesuffix(".") for path in tracked if path.name == name}
    expect(f"dependabot.yml, {ecosystem}", listed[ecosystem], folders)

crates = re.search(r"const CRATES.*?\];", text("xtask/src/release/crates.rs"), re.S)[0]
crates = re.findall(r'"(placemat[a-z-]*)"', crates)
published = re.search(r"for name in (.*?); do", text(".github/workflows/release.yml"), re.S)[1]
expect("release.yml: crates", re.findall(r"placemat[a-z-]*", published), crates)

for problem in wrong:
    print(problem)
print(f"{len(tasks)} tasks, {len(names)} names that may be skipped, {len(wrong)} problems")
sys.exit(bool(wrong))
