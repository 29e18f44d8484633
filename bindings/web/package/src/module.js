// A running WebAssembly module: its memory, its calls, and its answers (bindings/web/module/src).

import { IllFormedError, UnmappableError } from "./errors.js";

/** The input size of one call in bytes, and of its result: small enough for the cache, and independent of the length of the text. */
export const PIECE = 128 * 1024;
const ROOM = 4 * PIECE;

export const DONE = 0;
export const NEED_INPUT = 1;
export const NEED_OUTPUT = 2;
export const ILL_FORMED = 3;
export const UNMAPPABLE = 4;
/** There is no room for more notes. */
export const NOTES_FULL = 6;
/** An edit has no such range of the text. */
export const NO_RANGE = 7;

/** The size of a note in bytes, and the number of notes that one call can make (notes.js). */
export const NOTE_BYTES = 72;
const MOST_NOTES = 1024;

const BufferHere = globalThis.Buffer;
const asText = new globalThis.TextDecoder("utf-8", { ignoreBOM: true });

export class Module {
  constructor(compiled, level) {
    this.compiled = compiled;
    /** The index of the module in the order in which they are loaded, from 0 to 2. */
    this.level = level;
    this.start();
  }

  /** Starts a fresh instance. */
  start() {
    this.calls = new WebAssembly.Instance(this.compiled, {}).exports;
    /** Changes with each instance; converters of another one are gone. */
    this.generation = (this.generation ?? 0) + 1;
    this.memory = this.calls.memory;
    this.count = this.calls.encodings();
    this.answerAt = this.calls.answer();
    this.inAt = this.reserve(PIECE);
    this.outSize = ROOM;
    this.outAt = this.reserve(ROOM);
    this.noted = 0;
    this.constants = new Map();
    this.look();
  }

  /** Makes views of the memory, which growth detaches. */
  look() {
    const buffer = (this.buffer = this.memory.buffer);
    this.u8 = new Uint8Array(buffer);
    this.u16 = new Uint16Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.f64 = new Float64Array(buffer);
    this.node = BufferHere ? BufferHere.from(buffer) : undefined;
  }

  reserve(length) {
    const at = this.calls.reserve(length);
    if (at === 0) throw new RangeError(`there is no memory for ${length} bytes`);
    return at;
  }

  /**
   * Runs a call. A trap would be a fault of the module: its instance is left, and the next call has a new one. Growth of the memory
   * detaches the views, so new ones are made.
   */
  run(call) {
    let result;
    try {
      result = call(this.calls);
    } catch (cause) {
      throw this.failed(cause);
    }
    if (this.u8.length === 0) this.look();
    return result;
  }

  /** Returns the error for a call that threw. */
  failed(cause) {
    if (!(cause instanceof WebAssembly.RuntimeError)) return cause;
    this.start();
    return new Error("the WebAssembly module failed; a new instance takes over, and converters in use are lost", { cause });
  }

  /** Calls a function with the address of a block of memory, and frees the block. */
  within(length, use) {
    const block = this.run(() => this.reserve(length));
    const { generation } = this;
    try {
      return use(block);
    } finally {
      if (this.generation === generation) this.run((calls) => calls.release(block, length));
    }
  }

  /** Enlarges the memory for results. */
  grow(least = 2 * this.outSize) {
    const size = Math.max(least, 2 * this.outSize);
    const at = this.run((calls) => calls.reserve(size));
    if (at === 0) throw new RangeError(`there is no memory for ${size} bytes`);
    this.run((calls) => calls.release(this.outAt, this.outSize));
    this.outAt = at;
    this.outSize = size;
  }

  /** The address of the notes of the last call. */
  get notesAt() {
    return (this.noted ||= this.run(() => this.reserve(MOST_NOTES * NOTE_BYTES)));
  }

  /** The number of bytes read by the last call; `written` is the number written, `notes` that of the notes. */
  get read() {
    return this.u32[(this.answerAt >> 2) + 1];
  }
  get written() {
    return this.u32[(this.answerAt >> 2) + 2];
  }
  get notes() {
    return this.u32[(this.answerAt >> 2) + 3];
  }

  /** Copies the text of a policy in, for the next conversion. */
  takeText(which, text) {
    this.u8.set(text, this.inAt);
    this.run((calls) => calls.replacement(which, this.inAt, text.length));
  }

  /** Passes the policies by kind of the next conversion. */
  takeKinds({ all, some }) {
    this.run((calls) => calls.all_kinds(all));
    for (const [name, kind, number] of some) {
      const known = kind.length <= PIECE && (this.u8.set(kind, this.inAt), this.run((calls) => calls.some_kinds(this.inAt, kind.length, number)));
      if (!known) {
        throw new RangeError(
          `errors: unknown kind '${name.slice(0, 40)}'; there are the codes of errors, 'overlong', 'surrogate', 'lead', 'stray' and 'end'`,
        );
      }
    }
  }

  policies(errors, unmappables) {
    if (errors.kinds) this.takeKinds(errors.kinds);
    if (errors.text) this.takeText(0, errors.text);
    if (unmappables.text) this.takeText(1, unmappables.text);
  }

  /** Returns a text in UTF-8 as a string. */
  text(at, length) {
    return asText.decode(this.u8.slice(at, at + length));
  }

  /** Returns a text that never changes: the name of a kind of error. */
  constant(at, length) {
    if (length === 0) return "";
    const key = at * 256 + length;
    let text = this.constants.get(key);
    if (text === undefined) this.constants.set(key, (text = this.text(at, length)));
    return text;
  }

  /** The facts of the error that stopped the last call. */
  error() {
    const at = this.answerAt >> 2;
    const { u32, u8, f64 } = this;
    const seen = u32[at + 12];
    const bytesAt = this.answerAt + 32;
    return {
      status: u32[at],
      length: u32[at + 3],
      offset: f64[(this.answerAt + 16) >> 3],
      codePoint: u32[at + 6],
      width: u32[at + 7],
      bytes: u8.slice(bytesAt, bytesAt + seen),
      code: u32[at + 14] ? this.text(u32[at + 13], u32[at + 14]) : "",
      words: u32[at + 16] ? this.text(u32[at + 15], u32[at + 16]) : "",
    };
  }
}

const dropped =
  typeof FinalizationRegistry === "function"
    ? new FinalizationRegistry(({ module, generation, at }) => {
        if (module.generation === generation) module.run((calls) => calls.drop_converter(at));
      })
    : undefined;

/** A conversion that takes its text piece by piece. */
export class Converter {
  constructor(module, from, to, errors, unmappables) {
    this.module = module;
    module.policies(errors, unmappables);
    this.at = module.run((calls) => calls.new_converter(from.number, to.number, errors.number, unmappables.number));
    this.keep();
  }

  /** Makes a converter that finds errors and writes nothing. */
  static checker(module, from) {
    const checker = Object.create(Converter.prototype);
    checker.module = module;
    checker.at = module.run((calls) => calls.new_checker(from.number));
    checker.keep();
    return checker;
  }

  keep() {
    if (this.at === 0) throw new RangeError("the module does not know this encoding or policy");
    this.generation = this.module.generation;
    dropped?.register(this, { module: this.module, generation: this.generation, at: this.at }, this);
  }

  /** Converts bytes of the memory; returns the status. */
  run(src, length, dst, room, last) {
    this.mustLive();
    const { at } = this;
    return this.module.run((calls) => calls.convert_piece(at, src, length, dst, room, last ? 1 : 0));
  }

  /** Converts like `run`, and past errors, of which the module makes notes. */
  runNoting(src, length, dst, room, last) {
    this.mustLive();
    const { at, module } = this;
    const { notesAt } = module;
    return module.run((calls) => calls.convert_noting(at, src, length, dst, room, last ? 1 : 0, notesAt, MOST_NOTES));
  }

  /** Finds errors, of which the module makes notes; for a converter from `checker`. */
  findErrors(src, length, last) {
    this.mustLive();
    const { at, module } = this;
    const { notesAt } = module;
    return module.run((calls) => calls.find_errors(at, src, length, last ? 1 : 0, notesAt, MOST_NOTES));
  }

  /** Whether it can be used; not if its instance failed. */
  get alive() {
    return this.at !== 0 && this.generation === this.module.generation;
  }

  mustLive() {
    if (!this.alive) {
      throw new Error("the conversion is over: its WebAssembly instance failed");
    }
  }

  reset() {
    this.mustLive();
    this.module.run((calls) => calls.reset_converter(this.at));
  }

  passSurrogates() {
    this.mustLive();
    this.module.run((calls) => calls.pass_surrogates(this.at));
  }

  get leastRoom() {
    return this.module.run((calls) => calls.least_room(this.at));
  }

  /** The number of errors that the policy replaced. */
  get replaced() {
    return this.module.run((calls) => calls.replaced(this.at));
  }

  free() {
    if (this.alive) {
      dropped?.unregister(this);
      this.module.run((calls) => calls.drop_converter(this.at));
    }
    this.at = 0;
  }
}

/** Returns the error of an ill-formed sequence; `region` has the bytes around it, for the command's message. */
export function illFormed(module, facts, encoding, region) {
  const error = new IllFormedError({
    offset: facts.offset,
    length: facts.length,
    code: facts.code,
    bytes: facts.bytes.subarray(0, Math.min(facts.bytes.length, facts.length * facts.width)),
    seen: facts.bytes,
    width: facts.width,
    words: facts.words,
    encoding: encoding.name,
    help: () => module.level > 0 && region && explain(module, encoding, region, facts.offset)?.help,
  });
  if (module.level > 0 && region) {
    const words = explain(module, encoding, region, facts.offset);
    if (words) error.message = words.message;
  }
  return error;
}

/** Returns message and help in the words of the command; undefined if the bytes at hand are not enough. */
export function explain(module, encoding, region, offset) {
  const sample = region.around(offset);
  if (sample === undefined) return undefined;
  const { before, following, last } = sample;
  const { inAt } = module;
  module.u8.set(before, inAt);
  module.u8.set(following, inAt + before.length);
  const length = before.length + following.length;
  const known = module.run((calls) => calls.explain(encoding.number, inAt, length, before.length, offset, last ? 1 : 0));
  if (!known) return undefined;
  const word = (which) => module.text(module.calls.words(which), module.calls.words_length(which));
  return { message: word(0), help: word(1) };
}

/** Returns the error of a code point that the target lacks, in a string of JavaScript. `units` turns the offset into UTF-16 units. */
export function unmappable(facts, encoding, offset) {
  const { codePoint, code } = facts;
  return new UnmappableError({
    offset,
    length: codePoint > 0xffff ? 2 : 1,
    code,
    codePoint,
    bytes: new Uint8Array(0),
    encoding: encoding.name,
  });
}
