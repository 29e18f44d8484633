// Damaged text into what it was, every change on record, and back.

import { bytesOf, comesLater, mustBeBytes } from "./bytes.js";
import { whole } from "./detect.js";
import { mustFind } from "./labels.js";
import { moduleOf } from "./load.js";
import { inPieces } from "./reports.js";

/** The steps, in the order of their bits. */
const STEPS = ["wide", "pairs", "bytes", "lost", "mojibake", "legacy", "controls"];
const DETECTED = 0xffffffff;

const utf8 = new globalThis.TextEncoder();

function bitsOf(steps) {
  if (steps === undefined) return 0;
  let bits = 0;
  for (const step of steps) {
    const bit = STEPS.indexOf(step);
    if (bit < 0) throw new RangeError(`steps: unknown step '${String(step).slice(0, 40)}'; there are ${STEPS.join(", ")}`);
    bits |= 1 << bit;
  }
  if (bits === 0) throw new RangeError("steps: name at least one step");
  return bits;
}

function settings({ steps, lost = "replace", fallback, minConfidence = 0, web = true }) {
  if (lost !== "replace" && lost !== "escape") throw new RangeError(`lost: 'replace' or 'escape', found '${String(lost).slice(0, 40)}'`);
  if (!(minConfidence >= 0 && minConfidence <= 1)) throw new RangeError("minConfidence: a number from 0 to 1");
  return [bitsOf(steps), lost === "escape" ? 1 : 0, fallback === undefined ? DETECTED : mustFind(fallback, web).number, minConfidence];
}

/**
 * Repairs damaged text: bytes, or a string. Needs `await init({ detect: true })`. Well-formed text without damage comes out unchanged. Of
 * a Blob, a Response or a stream, which it reads whole, a promise of the result.
 */
export function repair(input, options = {}) {
  const module = moduleOf(2, "repair");
  const chosen = settings(options);
  if (typeof input === "string") return repaired(module, utf8.encode(input), chosen);
  if (comesLater(input)) return whole(input, options.signal).then((bytes) => repaired(moduleOf(2, "repair"), bytes, chosen));
  return repaired(module, mustBeBytes(input), chosen);
}

function repaired(module, bytes, chosen) {
  const at = module.run((calls) => calls.new_repair(...chosen));
  const feed = (each) =>
    inPieces(bytes, (piece) => {
      module.u8.set(piece, module.inAt);
      each(piece.length);
    });
  const { generation } = module;
  let text = "";
  const push = (length) => {
    const written = module.run((calls) => calls.repair_push(at, module.inAt, length));
    if (written > 0) text += module.text(module.calls.repair_text(at), written);
  };
  try {
    void feed((length) => module.run((calls) => calls.repair_learn(at, module.inAt, length)));
    void feed(push);
    push(0);
    const length = module.run((calls) => calls.repair_changes(at));
    const { encoding, changes } = JSON.parse(module.text(module.calls.report(), length));
    return { text, encoding: encoding.toLowerCase(), changes: changes.map(change) };
  } finally {
    if (module.generation === generation) module.run((calls) => calls.drop_repair(at));
  }
}

const change = ({ before, encodings, ...rest }) => ({
  ...rest,
  before: Uint8Array.from(before),
  encodings: encodings.map((name) => name.toLowerCase()),
});

/**
 * The bytes from which `repair` made a text: `undo(text, { encoding, changes })`. Throws a RangeError if the text is not the one that the
 * changes made.
 */
export function undo(text, { encoding, changes }) {
  const module = moduleOf(2, "undo");
  const bytes = typeof text === "string" ? utf8.encode(text) : mustBeBytes(text);
  const { number } = mustFind(encoding, true);
  const record = module.run((calls) => calls.new_record());
  const { generation } = module;
  try {
    for (const { offset, before, repairedOffset, after } of changes) {
      const [old, own] = [bytesOf(before) ?? Uint8Array.from(before), utf8.encode(after)];
      module.within(old.length + own.length, (block) => {
        module.u8.set(old, block);
        module.u8.set(own, block + old.length);
        module.run((calls) => calls.record_change(record, offset, block, old.length, repairedOffset, block + old.length, own.length));
      });
    }
    return module.within(bytes.length, (block) => {
      module.u8.set(bytes, block);
      const length = module.run((calls) => calls.record_undo(record, number, block, bytes.length));
      if (length < 0) throw new RangeError(`the text at offset ${-1 - length} is not what the record says`);
      const at = module.calls.record_bytes(record);
      return module.u8.slice(at, at + length);
    });
  } finally {
    if (module.generation === generation) module.run((calls) => calls.drop_record(record));
  }
}
