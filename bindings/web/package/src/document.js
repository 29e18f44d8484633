// Text that is edited in its own encoding. Offsets of the text are indices of its string.

import { mustBeBytes } from "./bytes.js";
import { EditError } from "./errors.js";
import { mustFind } from "./labels.js";
import { moduleOf } from "./load.js";
import { NO_RANGE, UNMAPPABLE, unmappable } from "./module.js";
import { isWellFormed } from "./strings.js";

export { EditError };

const NONE = 0xffffffff;
const utf8 = new globalThis.TextEncoder();

const dropped =
  typeof FinalizationRegistry === "function"
    ? new FinalizationRegistry(({ module, generation, at }) => {
        if (module.generation === generation) module.run((calls) => calls.drop_document(at));
      })
    : undefined;

/** Returns an offset as the module takes it; one that no text has becomes the largest. */
const offsetOf = (offset) => (Number.isInteger(offset) && offset >= 0 && offset < NONE ? offset : NONE);
const orNull = (offset) => (offset < 0 ? null : offset);

/**
 * The bytes of a file, edited as text in the encoding of the file: all bytes outside of a change stay as they are, those that are no text
 * too. A byte of an ill-formed sequence is one code point in the text, its stand-in: U+10FE00 plus the byte, unless the text has such code
 * points itself.
 */
export class Document {
  #module;
  #generation;
  #at;
  #encoding;
  #signature;

  constructor(input, label = "utf-8", { web = true } = {}) {
    const bytes = mustBeBytes(input);
    const module = (this.#module = moduleOf(2, "Document"));
    const encoding = (this.#encoding = mustFind(label, web));
    const { length } = bytes;
    this.#at = module.within(length, (block) => {
      module.u8.set(bytes, block);
      return module.run((calls) => calls.new_document(encoding.number, block, length));
    });
    if (this.#at === 0) throw new EditError("the text has too many code points for any to represent bytes");
    this.#generation = module.generation;
    dropped?.register(this, { module, generation: module.generation, at: this.#at }, this);
    this.#signature = bytes.slice(0, this.#lengths()[1]);
  }

  #run(call) {
    const module = this.#module;
    if (this.#at === 0) throw new Error("the document is freed");
    if (module.generation !== this.#generation) throw new Error("the document is gone: its WebAssembly instance failed");
    return module.run((calls) => call(calls, this.#at));
  }

  #report(call) {
    const length = this.#run(call);
    return this.#module.text(this.#module.calls.report(), length);
  }

  #lengths() {
    return JSON.parse(this.#report((calls, at) => calls.document_lengths(at)));
  }

  get encoding() {
    return this.#encoding.name;
  }

  /** The signature at the start of the file, which is no part of the text, and stays. */
  get signature() {
    return this.#signature.slice();
  }

  /** The 256 code points that represent bytes without text, in the order of the bytes; null if the file had no such bytes. */
  get standIns() {
    return this.#report((calls, at) => calls.document_stand_ins(at)) || null;
  }

  /** The whole text. It is made again for each use. */
  get text() {
    return this.slice(0, this.textLength);
  }

  /** The length of the file in bytes. */
  get length() {
    return this.#lengths()[0];
  }

  get textLength() {
    return this.#lengths()[2];
  }

  /** The number of lines: of line ends, and one more. */
  get lineCount() {
    return this.#lengths()[3];
  }

  /** The bytes of the file. */
  toBytes() {
    const length = this.#run((calls, at) => calls.document_save(at));
    const start = this.#module.calls.document_bytes(this.#at);
    return this.#module.u8.slice(start, start + length);
  }

  #noRange(start, end) {
    return new RangeError(`${String(start)} to ${String(end)} is no range of whole characters of a text of ${this.textLength} UTF-16 units`);
  }

  /** A part of the text, without making all of it. */
  slice(start, end) {
    const length = this.#run((calls, at) => calls.document_text(at, offsetOf(start), offsetOf(end))) >>> 0;
    if (length === NONE) throw this.#noRange(start, end);
    return this.#module.text(this.#module.calls.report(), length);
  }

  /** Calls the module with the new text of an edit in memory. */
  #withText(text, call) {
    const module = this.#module;
    if (!isWellFormed(text)) {
      const offset = text.search(/\p{Surrogate}/u);
      throw unmappable({ codePoint: text.charCodeAt(offset), code: "surrogate" }, this.#encoding, offset);
    }
    const bytes = utf8.encode(text);
    return module.within(bytes.length, (block) => {
      module.u8.set(bytes, block);
      return this.#run((calls, at) => call(calls, at, block, bytes.length));
    });
  }

  /** Returns the error for the edit that the module refused. */
  #refused(start, end) {
    const facts = this.#module.error();
    if (facts.status === UNMAPPABLE) return unmappable(facts, this.#encoding, facts.offset);
    if (facts.status === NO_RANGE) return this.#noRange(start, end);
    return new EditError("the new text and the bytes around it would read as another text: replace these bytes too");
  }

  /** Puts a text in the place of a range of the text. Returns the bytes that changed. */
  replace(start, end, text) {
    const [from, to] = [offsetOf(start), offsetOf(end)];
    const length = this.#withText(String(text), (calls, at, block, size) => calls.document_replace(at, from, to, block, size));
    if (length === 0) throw this.#refused(start, end);
    return JSON.parse(this.#module.text(this.#module.calls.report(), length));
  }

  /** Makes all changes, or none. The ranges are those of the text before all of them, from the first to the last. */
  replaceAll(changes) {
    const all = Array.from(changes);
    let ready = false;
    try {
      for (const [start, end, text] of all) {
        const [from, to] = [offsetOf(start), offsetOf(end)];
        const known = this.#withText(String(text), (calls, at, block, size) => calls.document_change(at, from, to, block, size));
        if (!known) throw this.#noRange(start, end);
      }
      ready = true;
    } finally {
      // Changes that will not be made are forgotten.
      if (!ready) this.#run((calls, at) => calls.document_replace_all(at, 0));
    }
    const index = this.#run((calls, at) => calls.document_replace_all(at, 1)) >>> 0;
    if (index !== NONE) throw this.#refused(all[index][0], all[index][1]);
  }

  /** The byte of the file at which the sequence of a character begins; null beyond the end of the text. */
  textToByte(offset) {
    return orNull(this.#run((calls, at) => calls.document_text_to_byte(at, offsetOf(offset))));
  }

  /** The index of the character whose sequence has a byte of the file; null beyond the end. */
  textOfByte(byte) {
    return orNull(this.#run((calls, at) => calls.document_text_of_byte(at, offsetOf(byte))));
  }

  /** The line and the column of a character as editors count: both from 0, the column in UTF-16 units; null beyond the end. */
  positionOfText(offset) {
    return JSON.parse(this.#report((calls, at) => calls.document_position_of_text(at, offsetOf(offset))) || "null");
  }

  /** The index of the character at a line and a column; null for a line that the text does not have. */
  textOfPosition(line, column) {
    return orNull(this.#run((calls, at) => calls.document_text_of_position(at, offsetOf(line), offsetOf(column))));
  }

  /** Frees the memory of the document at once, not when the garbage collector comes. */
  free() {
    if (this.#at === 0) return;
    dropped?.unregister(this);
    if (this.#module.generation === this.#generation) this.#run((calls, at) => calls.drop_document(at));
    this.#at = 0;
  }
}
