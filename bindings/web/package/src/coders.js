// TextDecoder and TextEncoder, in the shape of the Encoding Standard, for every encoding.

import { bytesOf, mustBeBytes } from "./bytes.js";
import { FromBytes, decodeWhole, strictIsQuick } from "./decode.js";
import { FromString, encodeInto, encodeWhole } from "./encode.js";
import { UTF_8, mustFind } from "./labels.js";
import { FATAL, REPLACE, endingShifted, errorPolicy, unmappablePolicy } from "./policies.js";
import { MAX_PLATFORM_UTF_8_BYTES, PLATFORM_DECODES_UTF_8 } from "./strings.js";

const NO_BYTES = new Uint8Array(0);

/** Returns the policy that the options of a decoder name: `errors`, or else `fatal`. */
export function decoderPolicy({ errors, fatal, span }, otherwise = "replace") {
  return errorPolicy(errors ?? (fatal ? "fatal" : otherwise), span);
}

/**
 * The policy that the options of an encoder name. Without one, lone surrogates become U+FFFD where the encoding has it, as the
 * standard says, and nothing else is replaced.
 */
export const encoderPolicy = (encoding, { unmappable }) =>
  unmappablePolicy(unmappable ?? (encoding.unicode ? "replace" : "fatal"));

/** Decodes bytes of any encoding. */
export class TextDecoder {
  #encoding;
  #policy;
  #fatal;
  #ignoreBOM;
  #run;
  #continues = false;
  #began = false;
  /** The platform's decoder, if it is faster and does the same; for strict decoding, the one for short texts. */
  #platform;
  #strict;

  constructor(label = "utf-8", options = {}) {
    options ??= {};
    this.#encoding = mustFind(label, options.web ?? true);
    this.#fatal = options.errors === undefined ? Boolean(options.fatal) : false;
    this.#ignoreBOM = Boolean(options.ignoreBOM);
    this.#policy = decoderPolicy(options);
    if (options.errors !== undefined && options.errors !== null) this.#fatal = this.#policy.number === 0 && !this.#policy.call;
    if (this.#fatal) this.#policy = endingShifted(this.#policy, this.#encoding);
    if (this.#encoding === UTF_8) {
      const { number, call } = this.#policy;
      if (number === REPLACE) this.#platform = new globalThis.TextDecoder("utf-8", { ignoreBOM: this.#ignoreBOM });
      if (number === FATAL && !call) this.#strict = new globalThis.TextDecoder("utf-8", { fatal: true, ignoreBOM: this.#ignoreBOM });
    }
  }

  get encoding() {
    return this.#encoding.name;
  }
  get fatal() {
    return this.#fatal;
  }
  get ignoreBOM() {
    return this.#ignoreBOM;
  }

  decode(input = NO_BYTES, options) {
    const isWhole = !this.#continues && !options?.stream;
    const isQuick = PLATFORM_DECODES_UTF_8 || (isWhole && input?.byteLength <= MAX_PLATFORM_UTF_8_BYTES);
    if (this.#platform !== undefined && isQuick) return this.#byPlatform(input, options);
    if (this.#strict !== undefined && isQuick && isWhole && strictIsQuick(input)) {
      try {
        return this.#strict.decode(input);
      } catch {
        // The module knows where the error is.
      }
    }
    const bytes = mustBeBytes(input);
    const stream = Boolean(options?.stream);
    if (!this.#continues) {
      this.#began = false;
      if (!stream) return this.#withoutMark(decodeWhole(bytes, this.#encoding, this.#policy));
      if (this.#run?.alive) this.#run.reset();
      else this.#run = new FromBytes(this.#encoding, this.#policy);
    }
    // A text whose instance failed has ended: the next call begins another.
    this.#continues = stream && this.#run.alive;
    return this.#withoutMark(this.#run.push(bytes, !stream));
  }

  #byPlatform(input, options) {
    try {
      return this.#platform.decode(input, options);
    } catch {
      // The platform's decoder refuses shared memory in browsers, and its errors about other inputs
      // say less than ours.
      return this.#platform.decode(mustBeBytes(input).slice(), options);
    }
  }

  #withoutMark(text) {
    if (this.#began || text === "") return text;
    this.#began = true;
    return this.#ignoreBOM || !this.#encoding.dropsMark || text.charCodeAt(0) !== 0xfeff ? text : text.slice(1);
  }
}

/** Encodes strings into any encoding. */
export class TextEncoder {
  #encoding;
  #policy;
  #run;
  #continues = false;

  constructor(label = "utf-8", options = {}) {
    options ??= {};
    this.#encoding = mustFind(label, options.web ?? true);
    this.#policy = encoderPolicy(this.#encoding, options);
  }

  get encoding() {
    return this.#encoding.name;
  }

  /** Returns the bytes of a string. With `stream: true`, more text follows: the first half of a surrogate pair, and shifts, wait. */
  encode(input = "", options) {
    const text = String(input);
    const stream = Boolean(options?.stream);
    if (!this.#continues) {
      if (!stream) return encodeWhole(text, this.#encoding, this.#policy);
      if (this.#run?.alive) this.#run.reset();
      else this.#run = new FromString(this.#encoding, this.#policy);
    }
    this.#continues = stream && this.#run.alive;
    return this.#run.push(text, !stream);
  }

  /** Encodes whole code points until the array is full; returns the UTF-16 units read and the bytes written. */
  encodeInto(source, destination) {
    const text = String(source);
    const dst = bytesOf(destination);
    if (dst === undefined || Object.prototype.toString.call(destination) !== "[object Uint8Array]") {
      throw new TypeError("encodeInto writes into a Uint8Array");
    }
    return encodeInto(text, dst, this.#encoding, this.#policy);
  }
}

for (const [Class, name] of [[TextDecoder, "TextDecoder"], [TextEncoder, "TextEncoder"]]) {
  Object.defineProperty(Class.prototype, Symbol.toStringTag, { value: name, configurable: true });
}
