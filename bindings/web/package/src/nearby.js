// The bytes around an error, which its words need.

/** The number of bytes before and after an error that its words may need. */
const BYTES_BEFORE = 64;
const BYTES_AFTER = 512;
/** The number of bytes from an error on with which its words are the same as with the whole text. */
const BYTES_FOR_WORDS = 16;
const NO_BYTES = new Uint8Array(0);

/** The bytes of a text that are at hand: a part of it, and the end of the part before. */
export class Nearby {
  #tail = NO_BYTES;
  /** The offset of the part in the text. */
  #start = 0;
  #part = NO_BYTES;
  #last = false;

  /** Takes the next part; `last` if the text ends with it. */
  take(part, last) {
    this.#part = part;
    this.#last = last;
  }

  /** Whether bytes after an error, which its words may need, are not at hand yet. */
  ends(offset) {
    return !this.#last && offset + BYTES_FOR_WORDS > this.#start + this.#part.length;
  }

  /** Leaves the part, which may change from now on. Its end is kept if an error may be found there later. */
  leave(keeps) {
    const { length } = this.#part;
    this.#start += length;
    if (!keeps) this.#tail = NO_BYTES;
    else if (length >= BYTES_BEFORE) this.#tail = this.#part.slice(length - BYTES_BEFORE);
    else if (length > 0) this.#tail = joined(this.#tail, this.#part).slice(-BYTES_BEFORE);
    this.#part = NO_BYTES;
  }

  /** Returns a copy of the bytes around the errors at two offsets and between them, which are near each other. */
  copy(first, final = first) {
    const from = Math.max(first - BYTES_BEFORE, this.#start - this.#tail.length);
    const to = Math.min(final + BYTES_AFTER, this.#start + this.#part.length);
    const own = this.#part.slice(Math.max(0, from - this.#start), Math.max(0, to - this.#start));
    const bytes = from < this.#start ? joined(this.#tail.subarray(from - this.#start + this.#tail.length), own) : own;
    return new Region(bytes, from, this.#last && to === this.#start + this.#part.length);
  }

  reset() {
    this.#tail = this.#part = NO_BYTES;
    this.#start = 0;
    this.#last = false;
  }
}

function joined(a, b) {
  if (a.length === 0) return b;
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** Some bytes of a text, from an offset on; `ends` if the text ends with them. */
export class Region {
  constructor(bytes, start, ends) {
    this.bytes = bytes;
    this.start = start;
    this.ends = ends;
  }

  /** Returns the bytes before and after an error. */
  around(offset) {
    const at = offset - this.start;
    if (at < 0 || at > this.bytes.length) return undefined;
    const end = Math.min(this.bytes.length, at + BYTES_AFTER);
    return {
      before: this.bytes.subarray(Math.max(0, at - BYTES_BEFORE), at),
      following: this.bytes.subarray(at, end),
      last: this.ends && end === this.bytes.length,
    };
  }
}

/** Returns the bytes around an error in a whole text. */
export function within(bytes, offset) {
  const [from, to] = [Math.max(0, offset - BYTES_BEFORE), Math.min(bytes.length, offset + BYTES_AFTER)];
  return new Region(bytes.slice(from, to), from, to === bytes.length);
}
