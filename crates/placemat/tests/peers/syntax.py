"""Compares documents before and after their escapes were decoded and written, by real parsers.

Each line of the input has a syntax and three documents in hexadecimal: the original, the decoded one, and that encoded
again. All three must have the same value. Prints the number of documents of each syntax.
"""
import ast, collections, email, email.policy, html.parser, json, os, subprocess, sys, tempfile, urllib.parse
import xml.etree.ElementTree


class Html(html.parser.HTMLParser):
    CDATA_CONTENT_ELEMENTS = ("script", "style")

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.seen = []
        self.feed(text)
        self.close()

    def add(self, kind, value):
        if kind == "text" and self.seen and self.seen[-1][0] == "text":
            self.seen[-1] = ("text", self.seen[-1][1] + value)
        else:
            self.seen.append((kind, value))

    def handle_starttag(self, tag, attrs): self.add("start", (tag, tuple(attrs)))
    def handle_endtag(self, tag): self.add("end", tag)
    def handle_data(self, data): self.add("text", data)
    def handle_comment(self, data): self.add("comment", data)
    def handle_decl(self, decl): self.add("declaration", decl)


def message(text):
    parsed = email.message_from_bytes(text.encode(), policy=email.policy.SMTPUTF8)
    return [(name, str(value)) for name, value in parsed.items()], parsed.get_filename()


def run(program, documents):
    """Returns the value of each document, which the program writes in a line of hexadecimal."""
    done = subprocess.run(program, input="".join(d.encode().hex() + "\n" for d in documents).encode(), capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().splitlines()


def shell(text):
    return subprocess.run(["bash", "-c", text], capture_output=True, env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout


def c(documents):
    source = "#include <stdio.h>\n#include <string.h>\n#include <wchar.h>\nint main(void) {\n"
    for d in documents:
        source += "{ const char *s[] = {%s};\nfor (int i = 0; i < (int)(sizeof s / sizeof *s); i++) { for (const char *p = s[i]; *p; p++) printf(\"%%02x\", *p & 255); printf(\",\"); } puts(\"\"); }\n" % d
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/a.c", "w") as file:
            file.write(source + "}\n")
        subprocess.run(["gcc", "-w", "-o", folder + "/a", folder + "/a.c"], check=True)
        return subprocess.run([folder + "/a"], capture_output=True, check=True).stdout.decode().splitlines()


NODE = """
for (const line of require('fs').readFileSync(0, 'latin1').split('\\n').slice(0, -1))
    console.log(Buffer.from(JSON.stringify(eval('[' + Buffer.from(line, 'hex').toString('utf8') + ']')
        .map(value => String(value.source ?? value)))).toString('hex'));
"""
HERE = os.path.dirname(os.path.abspath(__file__))
ONE = {
    "json": lambda text: json.loads(text),
    "html": lambda text: Html(text).seen,
    "xml": lambda text: xml.etree.ElementTree.canonicalize(text, with_comments=True),
    "python": lambda text: ast.dump(ast.parse(text)),
    "url": urllib.parse.unquote_to_bytes,
    "mime-header": message,
    "shell": shell,
}
MANY = {
    "js": lambda documents: run(["node", "-e", NODE], documents),
    "properties": lambda documents: run(["java", HERE + "/Properties.java"], documents),
    "c": c,
}
documents = collections.defaultdict(list)
for line in sys.stdin:
    syntax, *texts = line.split()
    documents[syntax].append([bytes.fromhex(text.strip(".")).decode() for text in texts])
for syntax, found in documents.items():
    if syntax in ONE:
        values = [[ONE[syntax](text) for text in texts] for texts in found]
    else:
        values = list(zip(*(MANY[syntax]([texts[i] for texts in found]) for i in range(3))))
    for texts, (before, after, again) in zip(found, values):
        assert before == after == again, f"{syntax}: {texts}\n{before}\n{after}\n{again}"
    print(syntax, len(values))
