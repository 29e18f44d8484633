// placemat/utf8: what UTF-8 alone needs, without a module: small in a bundle, and there at once.

import { comesLater, mayChange, mustBeBytes, piecesOf } from "./bytes.js";

export { lengths } from "./lengths.js";
export { truncate } from "./truncate.js";

/** The number of bytes that the platform's decoder gets at a time, so that its strings stay short. */
const PIECE_BYTES = 64 * 1024;
const isUtf8 = globalThis.process?.getBuiltinModule?.("node:buffer")?.isUtf8;

/** Checks UTF-8 piece by piece, by the platform's decoder, which the Encoding Standard makes strict. */
class Checker {
  #decoder = new globalThis.TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

  /** Returns whether the text can be well-formed so far. */
  take(bytes, last) {
    try {
      let at = 0;
      do {
        let piece = bytes.subarray(at, at + PIECE_BYTES);
        if (mayChange(piece)) piece = piece.slice();
        at += PIECE_BYTES;
        this.#decoder.decode(piece, { stream: !(last && at >= bytes.length) });
      } while (at < bytes.length);
      return true;
    } catch (error) {
      if (error instanceof TypeError) return false;
      throw error;
    }
  }
}

/** Whether bytes are well-formed UTF-8. Of a Blob, a Response or a stream, a promise of that. */
export function isValid(input, { signal } = {}) {
  const checker = new Checker();
  if (!comesLater(input)) {
    const bytes = mustBeBytes(input);
    return isUtf8 && bytes.length > 0 && !mayChange(bytes) ? isUtf8(bytes) : checker.take(bytes, true);
  }
  return (async () => {
    for await (const bytes of piecesOf(input)) {
      signal?.throwIfAborted();
      if (!checker.take(bytes, false)) return false;
    }
    return checker.take(new Uint8Array(0), true);
  })();
}
