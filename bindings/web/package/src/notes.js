// Errors in bulk: the module notes them, and each finds its words and bytes when somebody asks for them.

import { IllFormedError, UnmappableError, illFormedWords, unmappableWords } from "./errors.js";
import { explain, NOTE_BYTES } from "./module.js";
import { advice } from "./advice.js";

/** The size of a note in 32-bit words (bindings/web/module/src/answer.rs). */
const NOTE_WORDS = NOTE_BYTES / 4;
const UNMAPPABLE = 4;

/** A copy of the notes of one call. */
export class Notes {
  constructor(module, encoding, count) {
    this.module = module;
    this.encoding = encoding;
    this.count = count;
    const { buffer } = module.u8.slice(module.notesAt, module.notesAt + count * NOTE_BYTES);
    this.u8 = new Uint8Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.f64 = new Float64Array(buffer);
    /** The bytes around all of the errors. */
    this.region = undefined;
  }

  /** Returns the same notes, for errors whose surroundings come later. */
  copy() {
    return Object.assign(Object.create(Notes.prototype), this, { region: undefined });
  }

  isUnmappable(index) {
    return this.u32[index * NOTE_WORDS] === UNMAPPABLE;
  }
  /** Returns the number of bytes that were written before an error. */
  written(index) {
    return this.u32[index * NOTE_WORDS + 2];
  }
  length(index) {
    return this.u32[index * NOTE_WORDS + 3];
  }
  offset(index) {
    return this.f64[(index * NOTE_WORDS >> 1) + 2];
  }
  codePoint(index) {
    return this.u32[index * NOTE_WORDS + 6];
  }
  width(index) {
    return this.u32[index * NOTE_WORDS + 7];
  }
  code(index) {
    return this.module.constant(this.u32[index * NOTE_WORDS + 13], this.u32[index * NOTE_WORDS + 14]);
  }
  words(index) {
    return this.module.constant(this.u32[index * NOTE_WORDS + 15], this.u32[index * NOTE_WORDS + 16]);
  }
  /** Returns the bytes of a sequence, and of the code unit after it that proves it ill-formed. */
  seen(index) {
    const at = index * NOTE_BYTES + 32;
    return this.u8.slice(at, at + this.u32[index * NOTE_WORDS + 12]);
  }
  /** Returns the facts of an error, as `Module.error` does. */
  facts(index) {
    return { offset: this.offset(index), code: this.code(index) };
  }
  explained(index) {
    const { module, encoding, region } = this;
    return region && module.level > 0 ? explain(module, encoding, region, this.offset(index)) : undefined;
  }
}

/**
 * An error that a report lists or a policy gets, and nobody throws. It has all that an IllFormedError has, except for a stack, which
 * takes thirty times as long to make as the rest.
 */
class NotedIllFormed {
  #notes;
  #index;
  #bytes;
  #words;

  constructor(notes, index) {
    this.offset = notes.offset(index);
    this.length = notes.length(index);
    this.code = notes.code(index);
    this.encoding = notes.encoding.name;
    this.#notes = notes;
    this.#index = index;
  }
  get bytes() {
    const [notes, index] = [this.#notes, this.#index];
    return (this.#bytes ??= notes.seen(index).subarray(0, notes.length(index) * notes.width(index)));
  }
  get #explained() {
    return (this.#words ??= this.#notes.explained(this.#index) ?? {});
  }
  get message() {
    const [notes, index] = [this.#notes, this.#index];
    return this.#explained.message ?? illFormedWords(notes.words(index), notes.seen(index), notes.width(index), this.offset);
  }
  get help() {
    return this.#explained.help || advice(this.code);
  }
  get stack() {
    return `${this.name}: ${this.message}`;
  }
}

/** An error of a code point that the target cannot represent, which a policy gets. */
class NotedUnmappable {
  constructor(code, codePoint, offset, encoding) {
    this.offset = offset;
    this.length = codePoint > 0xffff ? 2 : 1;
    this.code = code;
    this.codePoint = codePoint;
    this.encoding = encoding.name;
  }
  get bytes() {
    return new Uint8Array(0);
  }
  get message() {
    return unmappableWords(this);
  }
  get help() {
    return advice(this.code);
  }
  get stack() {
    return `${this.name}: ${this.message}`;
  }
}

for (const [Noted, Class] of [[NotedIllFormed, IllFormedError], [NotedUnmappable, UnmappableError]]) {
  Object.setPrototypeOf(Noted.prototype, Class.prototype);
  Object.defineProperty(Noted.prototype, "constructor", { value: Class, writable: true, configurable: true });
}

export const notedIllFormed = (notes, index) => new NotedIllFormed(notes, index);
export const notedUnmappable = (notes, index, offset) =>
  new NotedUnmappable(notes.code(index), notes.codePoint(index), offset, notes.encoding);

/** Returns the same error with a stack, to be thrown. */
export function thrown(error) {
  if (error instanceof IllFormedError) {
    const { offset, length, code, bytes, encoding, message, help } = error;
    return new IllFormedError({ offset, length, code, bytes, encoding, message, help: () => help });
  }
  return new UnmappableError(error);
}
