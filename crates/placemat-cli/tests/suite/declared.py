"""Reads each file as a program for its kind reads it, and prints the text that stands between (( and )) in it.

A line of standard input is KIND, TAB, PATH. A line of the answer is the text in JSON, or null if the program refuses the file.
"""

import codecs
import email
import email.policy
import json
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

CODECS = {"utf8": "utf-8", "ansinew": "cp1252", "latin9": "iso-8859-15", "applemac": "mac-roman"}


def marked(text):
    found = re.search(r"\(\((.*?)\)\)", text, re.DOTALL)
    return found and found.group(1)


def by_label(data, pattern):
    label = re.search(pattern, data).group(1).decode("ascii")
    return marked(data.decode(CODECS.get(label, label)))


def of_xml(data):
    try:
        return marked("".join(xml.etree.ElementTree.fromstring(data).itertext()))
    except ValueError as e:
        if "multi-byte" not in str(e):
            raise
        # This parser has no encodings of several bytes but Unicode's.
        return by_label(data, rb"encoding *= *[\"']([-\w]+)")


def of_python(data):
    names = {}
    exec(compile(data, "text.py", "exec"), names)
    return marked(names["x"])


def of_mail(data):
    mail = email.message_from_bytes(data, policy=email.policy.default)
    return marked(mail.get_body(("plain",)).get_content())


def of_html(data):
    label = re.search(rb"charset\s*=\s*[\"']?([-\w]+)", data[:1024], re.IGNORECASE).group(1).decode("ascii")
    # HTML reads both as windows-1252.
    return marked(data.decode({"iso-8859-1": "cp1252", "latin1": "cp1252"}.get(label.lower(), label)))


def of_css(data):
    return marked(data.decode(re.match(rb'@charset "([^"]+)";', data).group(1).decode("ascii")))


def of_po(data):
    if not shutil.which("msgfmt"):
        return by_label(data, rb"charset=([-\w]+)")
    with tempfile.NamedTemporaryFile(suffix=".po") as po, tempfile.NamedTemporaryFile(suffix=".mo") as mo:
        po.write(data)
        po.flush()
        subprocess.run(["msgfmt", "-o", mo.name, po.name], check=True, stderr=subprocess.DEVNULL)
        import gettext

        with open(mo.name, "rb") as file:
            return marked(gettext.GNUTranslations(file).gettext("x"))


def of_tex(data):
    return by_label(data, rb"\[([-\w]+)\]\{inputenc\}")


def of_cookie(data):
    return by_label(data, rb"coding[:=]\s*([-\w]+?)(?:-unix|-dos|-mac)?(?:;|\s|$)")


def of_vim(data):
    return by_label(data, rb"fenc=([-\w]+)")


def main():
    for line in sys.stdin:
        kind, path = line.rstrip("\n").split("\t")
        with open(path, "rb") as file:
            data = file.read()
        try:
            text = globals()["of_" + kind](data)
        except (ValueError, SyntaxError, LookupError, xml.etree.ElementTree.ParseError, subprocess.CalledProcessError):
            text = None
        print(json.dumps(text))


main()
