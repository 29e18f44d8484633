// Lines and columns of errors.

const LINE_FEED = 0x0a;

/** Counts the lines of a text that comes in pieces, in an encoding in which ASCII is ASCII. */
export class LineCounter {
  /** Whether a byte begins a code point; undefined if columns cannot be seen in single bytes. */
  #begins;
  /** The pieces from the last place on, and the offset of the first. */
  #pieces = [];
  #offset = 0;
  #line = 1;
  #column = 1;

  constructor({ name, maxBytes, asciiCompatible }) {
    if (name === "utf-8") this.#begins = (byte) => (byte & 0xc0) !== 0x80;
    else if (maxBytes === 1) this.#begins = () => true;
    this.counts = asciiCompatible;
  }

  take(piece) {
    if (!this.counts) return;
    // Errors are found in the newest piece, or in the last bytes of the one before.
    if (this.#pieces.length > 1) this.#advance(this.#offset + this.#pieces[0].length);
    this.#pieces.push(piece);
  }

  #advance(offset) {
    while (this.#pieces.length > 0 && this.#offset < offset) {
      const [piece] = this.#pieces;
      const length = Math.min(piece.length, offset - this.#offset);
      for (const byte of piece.subarray(0, length)) {
        if (byte === LINE_FEED) {
          this.#line += 1;
          this.#column = 1;
        } else if (this.#begins?.(byte)) this.#column += 1;
      }
      this.#offset += length;
      if (length === piece.length) this.#pieces.shift();
      else this.#pieces[0] = piece.subarray(length);
    }
  }

  /** Returns `LINE:COLUMN:` of an offset, which does not come before an earlier one: columns in code points, both from 1. */
  place(offset) {
    if (!this.counts) return "";
    this.#advance(offset);
    return this.#begins ? `${this.#line}:${this.#column}:` : `${this.#line}:`;
  }
}
