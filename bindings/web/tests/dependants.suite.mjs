// Programs that depend on iconv-lite, with placemat-iconv-lite in its place: each reads text in charsets that the platform does not
// read for it. Installs them, so `.ci/web` runs this with PLACEMAT_LONG alone.
import test from "node:test";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { placemat } from "./common.mjs";

const folder = new URL("../target/dependants/", import.meta.url);
const here = fileURLToPath(folder);
const NAMES = ["raw-body", "body-parser", "libmime", "mailparser", "mysql2"];

function npm(...args) {
  const { stdout, stderr, status } = spawnSync("npm", args, { cwd: here, encoding: "utf8", timeout: 240_000 });
  assert.equal(status, 0, `npm ${args.join(" ")}: ${stderr}`);
  return stdout;
}

mkdirSync(folder, { recursive: true });
const packed = (name) => `file:${[JSON.parse(npm("pack", "--json", "--silent", fileURLToPath(new URL(`../${name}`, import.meta.url))))].flat()[0].filename}`;
const [own, door] = [packed("package"), packed("iconv-lite")];
writeFileSync(
  new URL("package.json", folder),
  JSON.stringify({
    private: true,
    dependencies: {
      placemat: own, "iconv-lite": door, "raw-body": "3.0.2", "body-parser": "2.4.0", libmime: "5.6.4", mailparser: "3.14.2", mysql2: "3.24.6",
    },
    overrides: { "iconv-lite": "$iconv-lite" },
  }),
);
npm("install", "--no-package-lock", "--no-audit", "--no-fund");
const require = createRequire(new URL("program.js", folder));

const bytes = (text, label) => Buffer.from(placemat.encode(text, label));
const RUSSIAN = "Каждое утро старый почтальон идёт вдоль реки.";
const JAPANESE = "毎朝、年老いた郵便配達は川に沿って歩く。";

for (const name of NAMES) {
  test(`${name} finds us`, () => {
    const from = createRequire(realpathSync(require.resolve(`${name}/package.json`)));
    const at = realpathSync(from.resolve("iconv-lite"));
    const { name: found } = JSON.parse(readFileSync(new URL("package.json", `file://${at}`)));
    assert.equal(found, "placemat-iconv-lite");
  });
}

test("raw-body", async () => {
  const getRawBody = require("raw-body");
  for (const [text, label] of [[RUSSIAN, "windows-1251"], [RUSSIAN, "koi8-r"], [JAPANESE, "shift_jis"], [JAPANESE, "euc-jp"], [JAPANESE, "utf-16le"]]) {
    const source = bytes(text, label);
    const pieces = Array.from({ length: Math.ceil(source.length / 7) }, (_, i) => source.subarray(7 * i, 7 * i + 7));
    assert.equal(await getRawBody(Readable.from(pieces), { encoding: label }), text, label);
  }
  await assert.rejects(getRawBody(Readable.from([Buffer.from("a")]), { encoding: "utf9" }), { status: 415, type: "encoding.unsupported" });
});

test("body-parser", async () => {
  const parser = require("body-parser");
  const read = (parse, source, type) =>
    new Promise((go, fail) => {
      const request = Object.assign(Readable.from([source.subarray(0, 5), source.subarray(5)]), { headers: { "content-type": type, "content-length": String(source.length) } });
      parse(request, {}, (error) => (error ? fail(error) : go(request.body)));
    });
  assert.equal(await read(parser.text(), bytes(RUSSIAN, "koi8-r"), "text/plain; charset=koi8-r"), RUSSIAN);
  assert.equal(await read(parser.text(), bytes(JAPANESE, "shift_jis"), "text/plain; charset=Shift_JIS"), JAPANESE);
  assert.deepEqual(await read(parser.json(), bytes('{"é":1}', "utf-16le"), "application/json; charset=utf-16le"), { "é": 1 });
  await assert.rejects(read(parser.text(), Buffer.from("a"), "text/plain; charset=utf9"), { status: 415 });
});

test("libmime", () => {
  const libmime = require("libmime");
  const word = (text, label) => `=?${label}?B?${bytes(text, label).toString("base64")}?=`;
  assert.equal(libmime.decodeWords(word(RUSSIAN, "koi8-r")), RUSSIAN);
  assert.equal(libmime.decodeWords(`${word("Привет", "windows-1251")} ${word(", мир", "windows-1251")}`), "Привет, мир");
  assert.equal(libmime.decodeWords(word("漢字", "gb18030")), "漢字");
  assert.equal(libmime.decodeWords(word(RUSSIAN, "ibm866")), RUSSIAN);
});

test("mailparser", async () => {
  const { simpleParser } = require("mailparser");
  for (const [text, label] of [[RUSSIAN, "koi8-r"], [RUSSIAN, "windows-1251"], [JAPANESE, "shift_jis"], [JAPANESE, "euc-jp"], ["日本語", "iso-2022-jp"]]) {
    const head = `From: a@example.org\r\nSubject: =?${label}?B?${bytes(text, label).toString("base64")}?=\r\nContent-Type: text/plain; charset=${label}\r\nContent-Transfer-Encoding: base64\r\n\r\n`;
    const mail = await simpleParser(head + bytes(text, label).toString("base64").replace(/.{1,76}/g, "$&\r\n"));
    assert.deepEqual([mail.subject, mail.text.trim()], [text, text], label);
  }
});

test("mysql2", () => {
  const strings = require(fileURLToPath(new URL("node_modules/mysql2/lib/parsers/string.js", folder)));
  for (const [text, label] of [[RUSSIAN, "koi8-r"], [RUSSIAN, "cp866"], [JAPANESE, "sjis"], ["漢字", "gb18030"], ["é", "latin1"], ["é😀", "utf8"]]) {
    const source = strings.encode(text, label);
    assert.equal(strings.decode(Buffer.concat([Buffer.from("<"), source, Buffer.from(">")]), label, 1, 1 + source.length), text, label);
  }
  assert.deepEqual(strings.encode(RUSSIAN, "koi8-r"), bytes(RUSSIAN, "koi8-r"));
});
