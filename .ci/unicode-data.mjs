// The part of `.ci/unicode-data` that needs the package @unicode/unicode-VERSION of npm: node unicode-data.mjs FOLDER. It writes
// properties.txt (first and last code point, property, value), emoji.txt (the sequences of emoji-test.txt), rgi-emoji.txt (those
// recommended for interchange), and compares the names with those of names.txt, which come from elsewhere.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

const place = resolve(process.argv[2]);
const root = `${place}/packages/package`;
const load = async (path) => (await import(`${root}/${path}`)).default;
const hex = (c) => c.toString(16).toUpperCase().padStart(4, "0");

// Values that are groups of others.
const groups = ["Cased_Letter", "Letter", "Mark", "Number", "Other", "Punctuation", "Separator", "Symbol"];
const lines = [];
for (const property of ["General_Category", "Script", "Script_Extensions", "Block", "Grapheme_Cluster_Break"]) {
  for (const value of readdirSync(`${root}/${property}`)) {
    if (value.includes(".") || (property === "General_Category" && groups.includes(value))) continue;
    for (const { begin, end } of await load(`${property}/${value}/ranges.mjs`)) lines.push(`${hex(begin)};${hex(end - 1)};${property};${value}\n`);
  }
}
writeFileSync(`${place}/properties.txt`, lines.join(""));

const sequences = {};
for (const [file, property] of Object.entries({ "emoji.txt": "Emoji_Test", "rgi-emoji.txt": "RGI_Emoji" })) {
  const texts = [...(await load(`Sequence_Property/${property}/index.mjs`))];
  sequences[file] = texts.length;
  writeFileSync(`${place}/${file}`, texts.map((text) => `${[...text].map((c) => hex(c.codePointAt(0))).join(" ")}\n`).join(""));
}

const names = new Map(readFileSync(`${place}/names.txt`, "utf8").trim().split("\n").map((line) => line.split(";")));
let compared = 0;
for (const [c, name] of await load("Names/index.mjs")) {
  // A label of a range, or a control.
  if (name !== name.toUpperCase() || name.startsWith("<")) continue;
  assert.equal(names.get(hex(c)), name, hex(c));
  compared += 1;
}
console.log(`names: the same ${compared} in two packages; ${sequences["emoji.txt"]} sequences of emoji; ${lines.length} ranges of properties`);
