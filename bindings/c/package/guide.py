#!/usr/bin/env python3
"""Runs docs/guides/c.md: guide.py [--record]

Commands in `sh` blocks run in the repository and succeed. Commands in `console` blocks run in a folder with the examples, and
all that is seen of them is compared with the page; --record writes it into the page. All commands run in one shell, whose home is
a new folder. Each block that follows a link to a file is that file, and each example in C is on the page.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs/guides/c.md"
EXAMPLES = sorted(path for folder in ("iconv", "placemat") for path in (ROOT / "bindings/c" / folder / "examples").glob("*")
                  if path.suffix in (".c", ".txt"))
FENCE = re.compile(r"^```(?P<kind>\w+)\n(?P<body>.*?)^```\n", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(\.\./\.\./(bindings/c/[^)]*\.(?:c|txt))\):\n$")


def run(blocks, home, folder):
    """Return the visible output of each command of the console blocks."""
    marker = "====" + home.name
    script = ["exec 2>&1"]
    for kind, body in blocks:
        if kind == "sh":
            script += [f"cd '{ROOT}'", *(f"{{ {line}\n}} >'{home}/log' 2>&1 || {{ cat '{home}/log'; exit 3; }}"
                                         for line in body.splitlines() if line), f"cd '{folder}'"]
        else:
            for line in body.splitlines():
                if line.startswith("$ "):
                    script += [f"{line[2:]}\nstatus=$?", f"echo; echo {marker} $status"]
    environment = dict(os.environ, HOME=str(home), LC_ALL="C.UTF-8", LANG="C.UTF-8",
                       GIT_CONFIG_NOSYSTEM="1", GIT_CONFIG_GLOBAL="/dev/null")
    for name, usual in (("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")):
        environment.setdefault(name, str(pathlib.Path.home() / usual))
    for name in ("PKG_CONFIG_PATH", "CMAKE_PREFIX_PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "PLACEMAT_ICONV"):
        environment.pop(name, None)
    ran = subprocess.run(["bash", "-c", "\n".join(script)], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, check=False)
    text = ran.stdout.decode("utf-8", "replace").replace(str(home), "/home/you")
    parts = re.split(rf"\n{marker} (\d+)\n", text)
    if ran.returncode != 0:
        sys.exit(f"docs/guides/c.md: the shell ended with status {ran.returncode}:\n{parts[-1]}")
    seen = []
    for output, status in zip(parts[::2], parts[1::2]):
        if output and not output.endswith("\n"):
            output += "\n"
        seen.append(output + (f"(exit status {status})\n" if status != "0" else ""))
    return seen


def main():
    page = PAGE.read_text(encoding="utf-8")
    wrong, shown = [], set()
    for fence in FENCE.finditer(page):
        link = LINK.search(page[:fence.start()][-200:])
        if link:
            shown.add(link[1])
            if (ROOT / link[1]).read_text(encoding="utf-8") != fence["body"]:
                wrong.append(f"the block is not the file {link[1]}")
        elif fence["kind"] not in ("sh", "console", "text"):
            wrong.append(f"a block of {fence['kind']} names no file: {fence['body'][:60]!r}")
    wrong += [f"{path.relative_to(ROOT)} is not shown" for path in EXAMPLES if str(path.relative_to(ROOT)) not in shown]

    blocks = [(f["kind"], f["body"]) for f in FENCE.finditer(page) if f["kind"] in ("sh", "console")]
    with tempfile.TemporaryDirectory() as temporary:
        home, folder = pathlib.Path(temporary), pathlib.Path(temporary, "examples")
        folder.mkdir()
        for path in [*EXAMPLES, *(ROOT / "examples").iterdir()]:
            shutil.copy(path, folder)
        seen = iter(run(blocks, home, folder))

    def recorded(fence):
        if fence["kind"] != "console":
            return fence[0]
        lines = [line + "\n" + next(seen) for line in fence["body"].splitlines() if line.startswith("$ ")]
        return f"```console\n{''.join(lines)}```\n"

    found = FENCE.sub(recorded, page)
    commands = sum(body.count("\n$ ") + body.startswith("$ ") for kind, body in blocks if kind == "console")
    if commands < 10:
        wrong.append(f"only {commands} commands were found")
    if "--record" in sys.argv:
        PAGE.write_text(found, encoding="utf-8")
    elif found != page:
        wrong.append("the output differs; bindings/c/package/guide.py --record writes it")
        subprocess.run(["diff", "-u", str(PAGE), "-"], input=found.encode(), check=False)
    for message in wrong:
        print(f"docs/guides/c.md: {message}", file=sys.stderr)
    sys.exit(1 if wrong else 0)


main()
