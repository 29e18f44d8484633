// TransformStreams: text in constant memory, with back-pressure.

import { breathe, bytesOf, mustBeBytes } from "./bytes.js";
import { decoderPolicy, encoderPolicy } from "./coders.js";
import { FromBytes } from "./decode.js";
import { FromString } from "./encode.js";
import { mustFind } from "./labels.js";
import { endingShifted, errorPolicy, unmappablePolicy } from "./policies.js";
import { Between } from "./transcode.js";

/** The number of 64 KiB pieces of one chunk after which other tasks may run. */
const PIECES = 8;

/**
 * A TransformStream around a conversion. `start` makes it, `take` checks a chunk. Each chunk is converted piece by piece, so a
 * chunk of any length needs little memory beyond itself, and others run between the pieces.
 */
function transform({ start, take, nothing, signal }) {
  let run;
  let ended = false;
  let stop;
  const free = () => {
    ended = true;
    if (signal && stop) signal.removeEventListener("abort", stop);
    run?.free();
    run = undefined;
  };
  const convert = async (chunk, last, controller) => {
    let pieces = 0;
    const emit = (part) => {
      if (part.length > 0) controller.enqueue(part);
    };
    try {
      for (const _ of run.parts(chunk, last, emit)) {
        if (++pieces % PIECES === 0) {
          await breathe();
          if (ended) return;
        }
      }
    } catch (error) {
      free();
      throw error;
    }
    if (last) free();
  };
  const stream = new TransformStream({
    start(controller) {
      if (signal?.aborted) throw signal.reason;
      run = start();
      stop = () => {
        free();
        controller.error(signal.reason);
      };
      signal?.addEventListener("abort", stop, { once: true });
    },
    transform: (chunk, controller) => {
      let taken;
      try {
        taken = take(chunk);
      } catch (error) {
        free();
        throw error;
      }
      return taken.length === 0 ? undefined : convert(taken, false, controller);
    },
    flush: (controller) => convert(nothing, true, controller),
    // Newer engines call it when the readable side is cancelled or the writable side aborted.
    cancel: free,
  });
  return stream;
}

/** Returns a chunk that cannot change while it waits: shared memory is copied. */
function steadyBytes(chunk) {
  const bytes = mustBeBytes(chunk);
  return bytes.buffer instanceof ArrayBuffer ? bytes : new Uint8Array(bytes);
}

const NO_BYTES = new Uint8Array(0);

/** Decodes a stream of bytes of any encoding. */
export class TextDecoderStream {
  #encoding;
  #fatal;
  #ignoreBOM;
  #stream;

  constructor(label = "utf-8", options = {}) {
    options ??= {};
    const encoding = (this.#encoding = mustFind(label, options.web ?? true));
    let policy = decoderPolicy(options);
    this.#fatal = policy.number === 0 && !policy.call;
    if (this.#fatal) policy = endingShifted(policy, encoding);
    const ignoreBOM = (this.#ignoreBOM = Boolean(options.ignoreBOM));
    const drops = encoding.dropsMark && !ignoreBOM;
    this.#stream = transform({
      start: () => (drops ? new WithoutMark(encoding, policy) : new FromBytes(encoding, policy)),
      take: steadyBytes,
      nothing: NO_BYTES,
      signal: options.signal,
    });
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
  get readable() {
    return this.#stream.readable;
  }
  get writable() {
    return this.#stream.writable;
  }
}

/** A conversion that drops U+FEFF at the start of the text. */
class WithoutMark extends FromBytes {
  #began = false;

  parts(bytes, last, emit) {
    return super.parts(bytes, last, (text) => {
      if (!this.#began && text.length > 0) {
        this.#began = true;
        if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
      }
      emit(text);
    });
  }
}

/** Encodes a stream of strings. */
export class TextEncoderStream {
  #encoding;
  #stream;

  constructor(label = "utf-8", options = {}) {
    options ??= {};
    const encoding = (this.#encoding = mustFind(label, options.web ?? true));
    const policy = encoderPolicy(encoding, options);
    this.#stream = transform({
      start: () => new FromString(encoding, policy),
      take: String,
      nothing: "",
      signal: options.signal,
    });
  }

  get encoding() {
    return this.#encoding.name;
  }
  get readable() {
    return this.#stream.readable;
  }
  get writable() {
    return this.#stream.writable;
  }
}

/** A TransformStream from bytes of one encoding to bytes of another. It stops at each error unless a policy says otherwise. */
export function transcodeStream(from, to, options = {}) {
  const web = options.web ?? true;
  const [source, target] = [mustFind(from, web), mustFind(to, web)];
  const errors = errorPolicy(options.errors ?? "fatal", options.span);
  const unmappables = unmappablePolicy(options.unmappable ?? "fatal");
  return transform({
    start: () => new Between(source, target, errors, unmappables),
    take: steadyBytes,
    nothing: NO_BYTES,
    signal: options.signal,
  });
}

for (const [Class, name] of [[TextDecoderStream, "TextDecoderStream"], [TextEncoderStream, "TextEncoderStream"]]) {
  Object.defineProperty(Class.prototype, Symbol.toStringTag, { value: name, configurable: true });
}
