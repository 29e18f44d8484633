// Reports about bytes: errors, lengths, the encoding.

import { breathe, comesLater, mayChange, mustBeBytes, piecesOf } from "./bytes.js";
import { ENCODINGS, UTF_8, find, mustFind } from "./labels.js";
import { moduleFor } from "./load.js";
import { Converter, DONE, ILL_FORMED, NEED_OUTPUT, NOTES_FULL, PIECE, UNMAPPABLE } from "./module.js";
import { Nearby } from "./nearby.js";
import { Notes, notedIllFormed } from "./notes.js";
import { FATAL, REPLACE } from "./policies.js";
import { isUtf8 } from "./strings.js";

const STOP = { number: FATAL };
const REPLACING = { number: REPLACE };
const NO_BYTES = new Uint8Array(0);
/** The number of 64 KiB pieces after which other tasks may run. */
const PIECES = 16;

/** Runs `each` over the pieces of an input, at most PIECE bytes each; asynchronously, if they come later. */
export function inPieces(input, each, signal) {
  if (!comesLater(input)) {
    const bytes = mustBeBytes(input);
    for (let at = 0; at < bytes.length; at += PIECE) {
      if (each(bytes.subarray(at, at + PIECE)) === false) return undefined;
    }
    return undefined;
  }
  return (async () => {
    let pieces = 0;
    for await (const bytes of piecesOf(input)) {
      for (let at = 0; at < bytes.length; at += PIECE) {
        signal?.throwIfAborted();
        if (each(bytes.subarray(at, at + PIECE)) === false) return;
        if (++pieces % PIECES === 0) await breathe();
      }
    }
  })();
}

/** Calls `finish()` after the pieces: at once, or as a promise. */
export function after(pieces, finish, clean) {
  if (pieces === undefined) {
    try {
      return finish();
    } finally {
      clean();
    }
  }
  return pieces.then(finish).finally(clean);
}

/** Finds errors piece by piece. An error near the end of a part waits until the bytes after it are known, which its words need. */
class Checker {
  #nearby = new Nearby();
  #waiting = [];

  constructor(encoding) {
    this.encoding = encoding;
    this.module = moduleFor(encoding);
    this.converter = Converter.checker(this.module, encoding);
  }

  /** Yields the errors of a part of the text, each when it is asked for. The caller may use the module between them. */
  *errors(part, last, signal) {
    if (mayChange(part)) part = part.slice();
    this.#nearby.take(part, last);
    if (part.length > 0 || last) yield* this.#waited();
    let at = 0;
    do {
      const to = Math.min(part.length, at + PIECE);
      signal?.throwIfAborted();
      yield* this.#piece(part.subarray(at, to), last && to === part.length);
      at = to;
    } while (at < part.length);
    this.#nearby.leave(true);
  }

  *#piece(bytes, last) {
    const { module, converter, encoding } = this;
    for (let at = 0; ; ) {
      module.u8.set(at === 0 ? bytes : bytes.subarray(at), module.inAt);
      const status = converter.findErrors(module.inAt, bytes.length - at, last);
      const { read, notes: count } = module;
      at += read;
      if (count > 0) yield* this.#found(new Notes(module, encoding, count));
      if (status !== NOTES_FULL) return;
    }
  }

  *#found(notes) {
    notes.region = this.#nearby.copy(notes.offset(0), notes.offset(notes.count - 1));
    let [i, { count }] = [0, notes];
    while (i < count && !this.#nearby.ends(notes.offset(i))) yield notedIllFormed(notes, i++);
    if (i < count) this.#waiting.push({ notes: notes.copy(), from: i });
  }

  /** Yields the errors of the part before that waited. */
  *#waited() {
    for (const { notes, from } of this.#waiting.splice(0)) {
      notes.region = this.#nearby.copy(notes.offset(from), notes.offset(notes.count - 1));
      for (let i = from; i < notes.count; i++) yield notedIllFormed(notes, i);
    }
  }

  free() {
    this.converter.free();
  }
}

/** Whether bytes are well-formed in an encoding. Of a Blob, a Response or a stream, a promise of that. */
export function isValid(input, label, options = {}) {
  const encoding = label === undefined ? UTF_8 : mustFind(label, options.web ?? true);
  if (!comesLater(input)) {
    const bytes = mustBeBytes(input);
    if (encoding === UTF_8 && isUtf8 && bytes.length > 0 && !mayChange(bytes)) return isUtf8(bytes);
    if (bytes.length <= PIECE) {
      const module = moduleFor(encoding);
      module.u8.set(bytes, module.inAt);
      const { inAt, calls } = module;
      return module.run(() => calls.validate(encoding.number, inAt, bytes.length)) === DONE;
    }
  }
  const checker = new Checker(encoding);
  let valid = true;
  let pieces;
  try {
    pieces = inPieces(
      input,
      (bytes) => {
        const { module, converter } = checker;
        module.u8.set(bytes, module.inAt);
        valid = converter.run(module.inAt, bytes.length, module.outAt, 0, false) !== ILL_FORMED;
        return valid;
      },
      options.signal,
    );
  } catch (error) {
    checker.free();
    throw error;
  }
  const finish = () => valid && checker.converter.run(checker.module.inAt, 0, checker.module.outAt, 0, true) !== ILL_FORMED;
  return after(pieces, finish, () => checker.free());
}

/**
 * All errors of bytes, each when it is asked for: an iterable, which of a Blob, a Response or a stream is an async one.
 */
export function check(input, label = "utf-8", options = {}) {
  const encoding = mustFind(label, options.web ?? true);
  if (comesLater(input)) {
    return {
      async *[Symbol.asyncIterator]() {
        const checker = new Checker(encoding);
        try {
          for await (const bytes of piecesOf(input)) {
            for (let at = 0; at === 0 || at < bytes.length; at += PIECES * PIECE) {
              if (at > 0) await breathe();
              yield* checker.errors(bytes.subarray(at, at + PIECES * PIECE), false, options.signal);
            }
          }
          yield* checker.errors(NO_BYTES, true);
        } finally {
          checker.free();
        }
      },
    };
  }
  const bytes = mustBeBytes(input);
  moduleFor(encoding);
  return {
    *[Symbol.iterator]() {
      const checker = new Checker(encoding);
      try {
        yield* checker.errors(bytes, true);
      } finally {
        checker.free();
      }
    },
  };
}

/** Lengths of the text that bytes are, in every unit. Of a Blob, a Response or a stream, a promise of them. */
export function count(input, label = "utf-8", options = {}) {
  const encoding = mustFind(label, options.web ?? true);
  const module = moduleFor(encoding);
  const converter = new Converter(module, encoding, UTF_8, REPLACING, REPLACING);
  const found = { bytes: 0, codePoints: 0, utf8Bytes: 0, utf16Units: 0, utf32Bytes: 0, lineFeeds: 0, illFormed: 0 };
  const feed = (bytes, last = false) => {
    module.u8.set(bytes, module.inAt);
    found.bytes += bytes.length;
    for (let at = 0; ; ) {
      const status = converter.run(module.inAt + at, bytes.length - at, module.outAt, module.outSize, last);
      const { read, written } = module;
      at += read;
      found.utf8Bytes += written;
      found.codePoints += module.calls.count_code_points(module.outAt, written);
      found.utf16Units += module.calls.count_utf16_units(module.outAt, written);
      found.lineFeeds += module.calls.count_line_feeds(module.outAt, written);
      if (status !== NEED_OUTPUT && status !== ILL_FORMED && status !== UNMAPPABLE) return;
      if (status === NEED_OUTPUT && read === 0 && written === 0) module.grow(converter.leastRoom);
    }
  };
  let pieces;
  try {
    pieces = inPieces(input, feed, options.signal);
  } catch (error) {
    converter.free();
    throw error;
  }
  const finish = () => {
    feed(NO_BYTES, true);
    found.illFormed = converter.replaced;
    found.utf32Bytes = 4 * found.codePoints;
    return found;
  };
  return after(pieces, finish, () => converter.free());
}

/** All encodings. */
export const encodings = () => [...ENCODINGS];

/** The encoding that a label names, or undefined. With web: false, `latin1`, `ascii` and others mean the standards of that name. */
export const lookup = (label, options = {}) => find(label, options.web ?? true);

const SIGNATURES = ENCODINGS.filter((encoding) => encoding.signature.length > 1 && !/^(utf-(8-bom|16|32)|ucs-.*)$/.test(encoding.name))
  .sort((a, b) => b.signature.length - a.signature.length);

/** The encoding of the signature (the byte order mark) at the start of bytes, and its length; undefined if there is none. */
export function signature(input) {
  const bytes = mustBeBytes(input);
  const encoding = SIGNATURES.find((encoding) => encoding.signature.every((byte, i) => bytes[i] === byte));
  return encoding && { encoding: encoding.name, length: encoding.signature.length };
}
