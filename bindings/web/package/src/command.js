#!/usr/bin/env node
// `npx placemat`: check, convert, detect and repair, with the package. The command that is written in Rust does more, in the same
// words.

import { createReadStream, createWriteStream, realpathSync, renameSync, rmSync } from "node:fs";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import * as placemat from "./node.js";
import { LineCounter } from "./command/lines.js";
import { HELP } from "./command/help.js";
import { plain } from "./command/plain.js";

const OPTIONS = {
  from: { type: "string", short: "f" },
  to: { type: "string", short: "t" },
  errors: { type: "string", short: "e" },
  unmappable: { type: "string" },
  output: { type: "string", short: "o" },
  quiet: { type: "boolean", short: "q" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "V" },
};
const COMMANDS = {
  check: { own: ["from"], run: check },
  convert: { own: ["from", "to", "errors", "unmappable", "output"], run: convert, files: 1 },
  detect: { own: [], run: detect },
  repair: { own: ["output"], run: repair, files: 1 },
};
const FOUND = 1;
const TROUBLE = 2;

/** An error whose message is for the user. */
class Usage extends Error {}

const say = (text) => process.stderr.write(`placemat: ${plain(text)}\n`);
const name = (file) => (file === "-" ? "standard input" : plain(file));
const open = (file) => (file === "-" ? process.stdin : createReadStream(file));
// Names mean what they mean to the command: `latin1` and `ascii` are the standards of these names.
const encodingOf = (label) => {
  const encoding = placemat.lookup(label, { web: false });
  if (!encoding) throw new Usage(`unknown encoding: ${label}`);
  return encoding;
};

async function check(file, { from = "utf-8" }, print) {
  const encoding = encodingOf(from);
  const lines = new LineCounter(encoding);
  // The second module has the command's words about errors.
  await placemat.init({ all: true });
  let status = 0;
  async function* counted() {
    for await (const piece of open(file)) {
      lines.take(piece);
      yield piece;
    }
  }
  for await (const error of placemat.check(counted(), encoding)) {
    status = FOUND;
    await print(`${name(file)}:${lines.place(error.offset)} ${plain(error.message)}\n`);
  }
  return status;
}

async function detect(file, _, print) {
  const found = await placemat.detect(open(file));
  const parts = [found.encoding ?? found.verdict];
  if (found.encoding) parts.push(found.confidence.toFixed(2));
  if (found.language) parts.push(found.language);
  if (found.mixed.length > 1) parts.push(`mixed: ${found.mixed.join(", ")}`);
  await print(`${name(file)}: ${parts.join("  ")}\n`);
  return found.verdict === "unknown" ? FOUND : 0;
}

async function convert(file, { from, to = "utf-8", errors, unmappable, output }) {
  if (from === undefined) throw new Usage("convert needs the encoding of the input: -f FROM");
  const through = placemat.transcodeStream(encodingOf(from), encodingOf(to), { errors, unmappable });
  return write(file, output, (source) => Readable.fromWeb(Readable.toWeb(source).pipeThrough(through)));
}

async function repair(file, { output, quiet }) {
  const pieces = [];
  for await (const piece of open(file)) pieces.push(piece);
  const { text, changes } = placemat.repair(Buffer.concat(pieces));
  if (!quiet) say(`${file === "-" ? "standard input" : file}: ${changes.length} ${changes.length === 1 ? "change" : "changes"}`);
  return write(file, output, () => Readable.from([Buffer.from(text)]));
}

/** Writes a result: to standard output, or whole or not at all into a file. */
async function write(file, output, make) {
  if (output === undefined) {
    await pipeline(make(open(file)), new Transform({ transform: (piece, _, done) => process.stdout.write(piece, () => done()) }));
    return 0;
  }
  const beside = `${output}.placemat-${process.pid}`;
  try {
    await pipeline(make(open(file)), createWriteStream(beside, { flags: "wx" }));
    renameSync(beside, real(output));
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
  return 0;
}

/** Returns the file that a link names, so that it is replaced and not the link. */
function real(path) {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Prints to standard output, and waits while its reader is slow. */
const print = (text) => new Promise((go) => (process.stdout.write(text) ? go() : process.stdout.once("drain", go)));

async function main() {
  const [command, ...rest] = process.argv.slice(2);
  const known = Object.hasOwn(COMMANDS, command ?? "") ? COMMANDS[command] : undefined;
  const { values, positionals } = parseArgs({ args: known ? rest : process.argv.slice(2), options: OPTIONS, allowPositionals: true });
  if (values.version) return print("placemat 0.1.0 (npm)\n").then(() => 0);
  if (values.help || (!known && command === undefined)) return print(HELP).then(() => (values.help ? 0 : TROUBLE));
  if (!known) throw new Usage(`there is no command '${command}'; there are ${Object.keys(COMMANDS).join(", ")}`);
  for (const option of Object.keys(values)) {
    if (option !== "quiet" && !known.own.includes(option)) throw new Usage(`${command} has no option --${option}`);
  }
  const files = positionals.length > 0 ? positionals : ["-"];
  if (files.length > (known.files ?? Infinity)) throw new Usage(`${command} takes one file`);
  let status = 0;
  for (const file of files) {
    try {
      status = Math.max(status, await known.run(file, values, values.quiet ? async () => {} : print));
    } catch (error) {
      if (error instanceof Usage) throw error;
      say(`${file === "-" ? "standard input" : file}: ${error.message}`);
      status = Math.max(status, error instanceof placemat.IllFormedError || error instanceof placemat.UnmappableError ? FOUND : TROUBLE);
    }
  }
  return status;
}

process.stdout.on("error", (error) => process.exit(error.code === "EPIPE" ? process.exitCode ?? 0 : TROUBLE));
try {
  process.exitCode = await main();
} catch (error) {
  say(error.message);
  process.exitCode = TROUBLE;
}
