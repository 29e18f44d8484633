// The functions of the package, however the modules are loaded.

import { breathe, comesLater, concat, mustBeBytes, piecesOf } from "./bytes.js";
import { decoderPolicy } from "./coders.js";
import { FromBytes, decodeWhole } from "./decode.js";
import { encodeWhole } from "./encode.js";
import { join } from "./strings.js";
import { mustFind } from "./labels.js";
import { errorPolicy, unmappablePolicy } from "./policies.js";
import { Between } from "./transcode.js";

export { TextDecoder, TextEncoder } from "./coders.js";
export { TextDecoderStream, TextEncoderStream, transcodeStream } from "./streams.js";
export { IllFormedError, UnmappableError } from "./errors.js";
export { Encoding } from "./labels.js";
export { init, load, loaded } from "./load.js";
export { Detector, detect, regions, sniff } from "./detect.js";
export { Document, EditError } from "./document.js";
export { repair, undo } from "./repair.js";
export { lengths } from "./lengths.js";
export { check, count, encodings, isValid, lookup, signature } from "./reports.js";
export { truncate } from "./truncate.js";

/**
 * The text of bytes. It stops at the first error unless `errors` says otherwise, and drops nothing: U+FEFF at the start is text. Of
 * a Blob, a Response or a stream, a promise of the text.
 */
export function decode(input, label = "utf-8", options = {}) {
  const encoding = mustFind(label, options.web ?? true);
  const policy = decoderPolicy(options, "fatal");
  if (!comesLater(input)) return decodeWhole(mustBeBytes(input), encoding, policy);
  return (async () => {
    const run = new FromBytes(encoding, policy);
    let text = "";
    const emit = (part) => (text = join(text, part));
    try {
      for await (const bytes of piecesOf(input)) await slowly(run.parts(bytes, false, emit), options.signal);
      await slowly(run.parts(new Uint8Array(0), true, emit), options.signal);
      return text;
    } finally {
      run.free();
    }
  })();
}

/** The bytes of a string. It stops at what the encoding cannot represent, lone surrogates included, unless `unmappable` says otherwise. */
export function encode(text, label = "utf-8", options = {}) {
  return encodeWhole(String(text), mustFind(label, options.web ?? true), unmappablePolicy(options.unmappable ?? "fatal"));
}

/** Bytes of one encoding as bytes of another. Of a Blob, a Response or a stream, a promise of them. */
export function transcode(input, from, to, options = {}) {
  const web = options.web ?? true;
  const errors = errorPolicy(options.errors ?? "fatal", options.span);
  const run = new Between(mustFind(from, web), mustFind(to, web), errors, unmappablePolicy(options.unmappable ?? "fatal"));
  if (!comesLater(input)) {
    try {
      return run.push(mustBeBytes(input), true);
    } finally {
      run.free();
    }
  }
  return (async () => {
    const parts = [];
    const emit = (part) => parts.push(part);
    try {
      for await (const bytes of piecesOf(input)) await slowly(run.parts(bytes, false, emit), options.signal);
      await slowly(run.parts(new Uint8Array(0), true, emit), options.signal);
      return concat(parts);
    } finally {
      run.free();
    }
  })();
}

/** Runs a conversion of a chunk, and lets others run meanwhile. */
async function slowly(parts, signal) {
  let pieces = 0;
  for (const _ of parts) {
    signal?.throwIfAborted();
    if (++pieces % 8 === 0) await breathe();
  }
}
