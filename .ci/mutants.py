"""Mutation testing with one build: all mutants of the sample are compiled together, and an environment variable chooses one.

Each mutated expression becomes `if ::mutant::is(N) { changed } else { original }`, in a copy of the tree. A first run of each test alone
notes which mutants it reaches, so that a mutant meets only those tests, the fastest first.
"""

import collections
import concurrent.futures
import hashlib
import json
import math
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import tree_sitter
import tree_sitter_rust

AREAS = {
    "engine": ["placemat-core/src/engine"],
    "policies": ["placemat-core/src/policy", "placemat-core/src/ground/policy.rs"],
    "streams": ["placemat-charsets/src/stream", "placemat-core/src/stream"],
    "labels": ["placemat-charsets/src/label"],
    "detect": ["placemat-detect/src/detect"],
    "repair": ["placemat-detect/src/repair", "placemat-cli/src/cmd/repair"],
    "edit": ["placemat/src/edit", "placemat-cli/src/cmd/edit"],
    "replace": ["placemat-cli/src/replace"],
    "iconv": ["placemat-iconv/src", "placemat-cli/src/cmd/iconv"],
}
SWAPS = {
    "==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "&&": "||", "||": "&&", "+": "-", "-": "+", "*": "+",
    "/": "*", "%": "/", "&": "|", "|": "&", "^": "|", "<<": ">>", ">>": "<<", "+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=",
}  # fmt: skip
RETURNS = {"bool": ["true", "false"], "usize": ["0", "1"], "u32": ["0", "1"], "u8": ["0", "1"], "String": ["String::new()"]}
# Tests of vector code, which has no mutants here, and sweeps over code that other tests run, too.
SWEEPS = ("kernels::", "simd::", "exhaustive::", "first_steps::")
# A test that takes longer is for other purposes.
LONGEST_TEST_SECONDS = 40
# The tests of one mutant end after this many seconds together, without those that take longer each.
BUDGET_SECONDS = float(os.environ.get("MUTANT_SECONDS", "60"))
RUNTIME = """//! Which mutant is chosen: the number in the environment variable MUTANT; with MUTANT_TRACE, none, and the open file of that number gets those reached.
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
static CHOSEN: AtomicU32 = AtomicU32::new(u32::MAX);
static SEEN: [AtomicBool; 1 << 16] = [const { AtomicBool::new(false) }; 1 << 16];
#[inline]
pub fn is(number: u32) -> bool {
    let chosen = CHOSEN.load(Relaxed);
    if chosen == u32::MAX { asked(number) } else { chosen == number }
}
#[cold]
fn asked(number: u32) -> bool {
    if let Some(file) = std::env::var("MUTANT_TRACE").ok().and_then(|file| file.parse().ok()) {
        if !SEEN[number as usize].swap(true, Relaxed) {
            // An open file: the user of a process may not be the one who traces, and an error of opening may be what a test is about.
            let mut file = std::mem::ManuallyDrop::new(unsafe { <std::fs::File as std::os::fd::FromRawFd>::from_raw_fd(file) });
            let _ = file.write_all(format!("{number}\\n").as_bytes());
        }
        return false;
    }
    let chosen = std::env::var("MUTANT").ok().and_then(|n| n.parse().ok()).unwrap_or(u32::MAX - 1);
    CHOSEN.store(chosen, Relaxed);
    chosen == number
}
"""

root = pathlib.Path.cwd()
place = root / "target/mutants"
tree = place / "tree"
parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_rust.language()))


def text(node):
    return node.text.decode()


def attributes(node):
    """The attributes above an item."""
    found, node = "", node.prev_named_sibling
    while node is not None and node.type in ("attribute_item", "line_comment", "block_comment"):
        found += text(node) if node.type == "attribute_item" else ""
        node = node.prev_named_sibling
    return found


def changes(node, kind):
    """The texts that can replace an expression, statement or arm, each with the words of the report."""
    has_let = "let_c" in str(node)
    if node.type == "binary_expression" and not has_let:
        operator = node.child_by_field_name("operator")
        if swap := SWAPS.get(text(operator)):
            at = operator.start_byte - node.start_byte
            source = node.text
            changed = (source[:at] + swap.encode() + source[at + len(operator.text) :]).decode()
            yield "expression", changed, text(node), changed
    elif node.type == "compound_assignment_expr":
        operator = node.child_by_field_name("operator")
        if swap := SWAPS.get(text(operator)):
            changed = text(node).replace(f" {text(operator)} ", f" {swap} ", 1)
            yield "expression", changed, text(node), changed
    elif node.type == "unary_expression" and text(node).startswith("!"):
        yield "expression", text(node)[1:], text(node), text(node)[1:]
    elif node.type == "integer_literal" and node.parent.type != "field_expression":
        number = re.fullmatch(r"(0x[0-9a-fA-F_]+|0b[01_]+|[0-9_]+?)((?:[ui](?:8|16|32|64|128|size))?)", text(node))
        if number:
            changed = f"{int(number[1].replace('_', ''), 0) + 1}{number[2]}"
            yield "expression", changed, text(node), changed
    elif node.type == "boolean_literal":
        changed = "false" if text(node) == "true" else "true"
        yield "expression", changed, text(node), changed
    elif node.type == "expression_statement" and kind == "block" and text(node).endswith(";"):
        inner = node.named_children[0].type
        if inner in ("call_expression", "assignment_expression", "return_expression", "break_expression", "continue_expression"):
            yield "statement", "", text(node), "nothing"
        elif inner == "try_expression":
            yield "statement", "", text(node), "nothing"
    elif node.type == "match_arm":
        pattern = node.child_by_field_name("pattern")
        arms = [arm for arm in node.parent.named_children if arm.type == "match_arm"]
        last = text(arms[-1].child_by_field_name("pattern"))
        if pattern.child_by_field_name("condition") is None and re.fullmatch(r"_|[a-z]+", last) and node != arms[-1]:
            yield "arm", "", text(pattern), "no arm"
    elif node.type == "function_item":
        kind = node.child_by_field_name("return_type")
        kind = "" if kind is None else text(kind)
        values = RETURNS.get(kind) or (["None"] if kind.startswith("Option<") else ["Vec::new()"] if kind.startswith("Vec<") else [])
        for value in values or ([""] if kind == "" else []):
            yield "body", value, "body", f"return {value}".strip()


def sites(path):
    """All mutants of a file: node, form, changed text, words of the report, function."""
    found = []

    def walk(node, function, kind):
        if node.type in ("const_item", "static_item", "token_tree", "macro_definition", "attribute_item", "type_arguments", "array_type"):
            return
        if node.type == "match_pattern":
            if (guard := node.child_by_field_name("condition")) is not None:
                walk(guard, function, "guard")
            return
        if node.type.endswith("_pattern") or node.type in ("const_block", "enum_variant", "closure_parameters", "parameters", "use_declaration"):
            return
        if node.type in ("mod_item", "function_item", "impl_item", "expression_statement", "let_declaration"):
            if re.search(r"cfg\(.*(test|windows|not\(|target_|debug_ass)|derive", attributes(node)):
                return
        if node.type == "function_item":
            modifiers = [text(child) for child in node.children if child.type == "function_modifiers"]
            if any("const" in modifier for modifier in modifiers) or "#[test]" in attributes(node):
                return
            function = text(node.child_by_field_name("name"))
        if function:
            found.extend((node, *change, function) for change in changes(node, kind))
        for child in node.children:
            walk(child, function, node.type)

    walk(parser.parse(path.read_bytes()).root_node, "", "")
    return found


def key(path, site):
    _, _, _, before, after, function = site
    words = " ".join(f"{function}: {before} → {after}".split())
    return f"{path.relative_to(root / 'crates')}: {words}"


def sample(count, areas):
    """The chosen mutants by file: those whose names have the smallest digests, so that changes elsewhere leave the sample alone."""
    chosen = []
    for area in areas:
        files = []
        for start in AREAS[area]:
            start = root / "crates" / start
            files += [start] if start.suffix else [*start.rglob("*.rs"), *start.parent.glob(start.name + ".rs")]
        candidates, times = [], collections.Counter()
        for path in sorted(files):
            if path.name.endswith("tests.rs"):
                continue
            for site in sites(path):
                name = key(path, site)
                times[name] += 1
                name += f" ({times[name]})" if times[name] > 1 else ""
                candidates.append((hashlib.sha256(name.encode()).hexdigest(), name, path, site))
        print(f"{area}: {len(candidates):,} mutants are possible")
        chosen += [(area, name, path, site) for _, name, path, site in sorted(candidates, key=lambda c: c[0])[:count]]
    return chosen


def render(node, wraps):
    """The text of a node in which the mutants can be chosen."""
    source, at, out = node.text, 0, ""
    inner = [(node, wraps.get(node.id, []))]
    for child in node.children:
        start = child.start_byte - node.start_byte
        out += source[at:start].decode() + render(child, wraps)
        at = start + len(child.text)
    out += source[at:].decode()
    for number, form, changed in inner[0][1]:
        if form == "expression":
            out = f"/*m{number}*/(if ::mutant::is({number}) {{ {changed} }} else {{ {out} }})/*/m{number}*/"
        elif form == "statement":
            out = f"/*m{number}*/if !::mutant::is({number}) {{ {out} }}/*/m{number}*/"
        elif form == "arm":
            pattern = text(node.child_by_field_name("pattern"))
            out = f"/*m{number}*/{pattern} if !::mutant::is({number}) {out[len(pattern) :]}/*/m{number}*/"
        else:
            body = text(node).index(text(node.child_by_field_name("body")))
            out = f"{out[: body + 1]} /*m{number}*/if ::mutant::is({number}) {{ return {changed}; }}/*/m{number}*/ {out[body + 1 :]}"
    return out


def write_tree(mutants, dropped):
    """Writes the copy of the tree, with all mutants but those that do not compile; leaves files alone that stay the same."""
    names = subprocess.check_output(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], text=True).split("\0")
    by_path = collections.defaultdict(list)
    for number, (_, _, path, site) in enumerate(mutants):
        if number not in dropped:
            by_path[path].append((number, site))
    for name in filter(None, names):
        source, target = pathlib.Path(name).resolve(), tree / name
        if not source.is_file():
            continue
        content = source.read_bytes()
        if source in by_path:
            wraps, top = collections.defaultdict(list), by_path[source][0][1][0]
            while top.parent is not None:
                top = top.parent
            for number, (node, form, changed, *_) in by_path[source]:
                wraps[node.id].append((number, form, changed))
            content = (content[: top.start_byte].decode() + render(top, wraps) + content[top.end_byte :].decode()).encode()
        elif re.fullmatch(r"crates/placemat(-\w+)?/Cargo.toml", name):
            content = content.replace(b"\n[dependencies]\n", b'\n[dependencies]\nmutant = { path = "../mutant" }\n')
        elif name == "Cargo.toml":
            content = content.replace(b"members = [", b'members = ["crates/mutant", ')
        if not target.is_file() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            shutil.copymode(source, target)
    source = tree / "crates/mutant/src/lib.rs"
    if not source.exists() or source.read_text() != RUNTIME:
        source.parent.mkdir(parents=True, exist_ok=True)
        (tree / "crates/mutant/Cargo.toml").write_text('[package]\nname = "mutant"\nversion = "0.0.0"\nedition = "2024"\n')
        source.write_text(RUNTIME)


def cargo(*arguments):
    """The messages of cargo, as JSON."""
    command = ["cargo", *arguments, "--workspace", "--exclude=xtask", "--exclude=xtask-kernels", "--message-format=json"]
    done = subprocess.run(command, cwd=tree, stdout=subprocess.PIPE, text=True)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def drop_failing(messages, dropped):
    """Notes the mutants that do not compile."""
    for message in messages:
        if message["reason"] != "compiler-message" or message["message"]["level"] != "error":
            continue
        for span in [span for span in message["message"]["spans"] if span["is_primary"]]:
            content = (tree / span["file_name"]).read_bytes()
            near = [
                (max(0, begin.start() - span["byte_end"], span["byte_start"] - content.index(b"/*/m%s*/" % begin[1])), int(begin[1]))
                for begin in re.finditer(rb"/\*m(\d+)\*/", content)
            ]
            nearest = min(near)[0] if near else 0
            dropped.update(number for distance, number in near if distance == nearest)


def run(test, variables, seconds, files=()):
    """How a test ends: `passed`, `failed`, or `too slow`. The seconds are of a processor, so that other work does not matter."""
    program, folder, name = test
    limit = math.ceil(seconds)
    try:
        code = subprocess.run(
            [program, "--exact", name, "--test-threads=1"],
            cwd=folder,
            env={**os.environ, **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=10 * seconds,
            start_new_session=True,
            pass_fds=files,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)),
        ).returncode
    except subprocess.TimeoutExpired:
        return "too slow"
    return "passed" if code == 0 else "too slow" if code in (-signal.SIGKILL, -signal.SIGXCPU) else "failed"


def main():
    areas = sys.argv[1:] or list(AREAS)
    mutants = sample(int(os.environ.get("MUTANTS", "25")), areas)
    state_path = place / "dropped.json"
    names = [name for _, name, _, _ in mutants]
    dropped = set()
    if state_path.exists():
        known = set(json.loads(state_path.read_text()))
        dropped = {number for number, name in enumerate(names) if name in known}
    while True:
        write_tree(mutants, dropped)
        code, messages = cargo("check", "--tests", "--keep-going")
        if code == 0:
            break
        before = len(dropped)
        drop_failing(messages, dropped)
        print(f"{len(dropped)} do not compile")
        if len(dropped) == before:
            sys.exit("the copy does not compile")
    state_path.write_text(json.dumps([names[number] for number in sorted(dropped)]))
    code, messages = cargo("test", "--no-run")
    if code:
        sys.exit("the tests do not compile")

    tests = []
    for message in messages:
        if message.get("executable") and message["profile"]["test"]:
            folder = pathlib.Path(message["manifest_path"]).parent
            listed = subprocess.run([message["executable"], "--list"], cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
            names_of_tests = re.findall(r"^(.*): test$", listed.stdout, re.M)
            tests += [(message["executable"], folder, name) for name in names_of_tests if not name.startswith(SWEEPS)]

    workers = concurrent.futures.ThreadPoolExecutor(int(os.environ.get("MUTANT_JOBS", "2")))
    runs = place / "runs"
    runs.mkdir(exist_ok=True)
    all_names = "\n".join(names)

    def trace(test):
        """Which mutants a test reaches, and how long it takes."""
        record = runs / hashlib.sha256(f"{test[0]} {test[2]} {all_names}".encode()).hexdigest()[:20]
        if not record.exists():
            with tempfile.TemporaryFile("a+") as file:
                began = time.monotonic()
                passes = "passed" == run(test, {"MUTANT_TRACE": str(file.fileno())}, LONGEST_TEST_SECONDS, [file.fileno()])
                seconds = time.monotonic() - began
                file.seek(0)
                reached = sorted(set(map(int, file.read().split())))
            if not passes:
                # Notes spoil a test that counts calls of the system or makes them fail. Without notes, it meets every mutant of its crate.
                began = time.monotonic()
                passes = "passed" == run(test, {}, LONGEST_TEST_SECONDS)
                seconds = time.monotonic() - began
                reached = [number for number, (_, _, path, _) in enumerate(mutants) if test[1].name in path.parts]
            record.write_text(json.dumps([passes, seconds, reached]))
        return test, *json.loads(record.read_text())

    reaching = collections.defaultdict(list)
    for test, passes, seconds, reached in workers.map(trace, tests):
        if not passes:
            print(f"without mutants, {test[2]} fails or takes too long")
            continue
        for number in reached:
            reaching[number].append((seconds, test))
    print(f"{len(tests):,} tests run alone")

    kills = collections.Counter()

    def judge(number):
        """The test that kills a mutant, or how it survives."""
        record = runs / hashlib.sha256(names[number].encode()).hexdigest()[:20]
        if not record.exists():
            result, spent = ("survives" if number in reaching else "no test reaches it"), 0.0
            # Tests that found others find most.
            for seconds, test in sorted(reaching[number], key=lambda timed: (-kills[timed[1][2]] / timed[0], timed[0])):
                if spent + seconds > BUDGET_SECONDS:
                    result += f" {spent:.0f} s of its tests"
                    break
                spent += seconds
                if (end := run(test, {"MUTANT": str(number)}, 5 + 5 * seconds)) != "passed":
                    result = f"killed by {test[2]}, {end}"
                    break
            if not result.startswith("killed"):
                return number, result
            record.write_text(json.dumps(result))
        result = json.loads(record.read_text())
        kills[result.removeprefix("killed by ").split(",")[0]] += 1
        return number, result

    reasons = " ".join(pathlib.Path("docs/trust/mutants.md").read_text("utf-8").split())
    counts, unexplained = collections.Counter(), []
    # The first ones of all areas first, so that a run that is ended says something about each.
    place_in_area, seen = {}, collections.Counter()
    for number, (area, *_) in enumerate(mutants):
        place_in_area[number] = seen[area]
        seen[area] += 1
    order = sorted((number for number in range(len(mutants)) if number not in dropped), key=place_in_area.get)
    for number, result in workers.map(judge, order):
        area = mutants[number][0]
        kind = "killed" if result.startswith("killed") else "explained" if f"`{names[number]}`" in reasons else "survive"
        counts[area, kind] += 1
        if kind == "survive":
            print(f"{names[number]}\n    {result}", flush=True)
            unexplained.append(number)
    print("| area | sampled | do not compile | killed | mean nothing | survive |\n| --- | --- | --- | --- | --- | --- |")
    for area in areas:
        all_of_it = [number for number in range(len(mutants)) if mutants[number][0] == area]
        row = [len(all_of_it), len(dropped & set(all_of_it)), *(counts[area, kind] for kind in ("killed", "explained", "survive"))]
        print(f"| {area} | {' | '.join(map(str, row))} |")
    sys.exit(bool(unexplained))


main()
