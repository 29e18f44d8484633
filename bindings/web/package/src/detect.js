// The encoding and the language of bytes of unknown origin.

import { comesLater, mustBeBytes, piecesOf } from "./bytes.js";
import { moduleOf } from "./load.js";
import { after, inPieces } from "./reports.js";

const named = (item) => ({ ...item, encoding: item.encoding?.toLowerCase() ?? null });

/** Returns a detection as the package has it: names in lower case, bytes as arrays of bytes. */
function detection(found) {
  return {
    ...named(found),
    signature: found.signature && { ...found.signature, name: found.signature.name.toLowerCase() },
    declared: found.declared && named(found.declared),
    candidates: found.candidates.map(named),
    ruledOut: found.ruledOut.map((item) => ({ ...named(item), bytes: Uint8Array.from(item.bytes) })),
    mixed: found.mixed.map((name) => name.toLowerCase()),
  };
}

const dropped =
  typeof FinalizationRegistry === "function"
    ? new FinalizationRegistry(({ module, generation, at }) => {
        if (module.generation === generation) module.run((calls) => calls.detected(at, 0));
      })
    : undefined;

/** A detection that takes its bytes in pieces. */
export class Detector {
  #module;
  #generation;
  #at = 0;

  constructor() {
    this.#module = moduleOf(2, "detection");
    this.#begin();
  }

  #begin() {
    const module = this.#module;
    this.#at = module.run((calls) => calls.new_detector());
    this.#generation = module.generation;
    dropped?.register(this, { module, generation: module.generation, at: this.#at }, this);
  }

  #mustLive() {
    if (this.#module.generation !== this.#generation) {
      throw new Error("the detection is over: its WebAssembly instance failed");
    }
  }

  /** Reads the next bytes. */
  feed(input) {
    this.#mustLive();
    void inPieces(mustBeBytes(input), (bytes) => {
      this.#module.u8.set(bytes, this.#module.inAt);
      this.#module.run((calls) => calls.detector_feed(this.#at, this.#module.inAt, bytes.length));
    });
  }

  /**
   * Returns the answer for all that was read; the detector is then ready for another text. With `prefix: true`, the text goes on after
   * what was read, so that its end is not evidence.
   */
  finish({ prefix = false } = {}) {
    this.#mustLive();
    const module = this.#module;
    dropped?.unregister(this);
    const length = module.run((calls) => calls.detected(this.#at, prefix ? 1 : 0));
    const found = detection(JSON.parse(module.text(module.calls.report(), length)));
    this.#begin();
    return found;
  }
}

/**
 * The encoding and the language of bytes of unknown origin, with the reasons. Needs the third module:
 * `await init({ detect: true })`. Of a Blob, a Response or a stream, a promise of them.
 */
export function detect(input, options = {}) {
  const detector = new Detector();
  const pieces = inPieces(input, (bytes) => detector.feed(bytes), options.signal);
  return after(pieces, () => detector.finish(), () => {});
}

/** The former name of `detect`. */
export const sniff = detect;

/**
 * The regions of a text in several encodings, in order: together they are all of its bytes. Needs `init({ detect: true })`. Of a Blob,
 * a Response or a stream, which it reads whole, a promise of them.
 */
export function regions(input, options = {}) {
  const module = moduleOf(2, "regions");
  if (comesLater(input)) return whole(input, options.signal).then((bytes) => regions(bytes));
  const bytes = mustBeBytes(input);
  const at = module.run((calls) => calls.new_regions());
  for (const learns of [1, 0]) {
    void inPieces(bytes, (piece) => {
      module.u8.set(piece, module.inAt);
      module.run((calls) => calls.regions_feed(at, module.inAt, piece.length, learns));
    });
  }
  const length = module.run((calls) => calls.regions_found(at));
  return JSON.parse(module.text(module.calls.report(), length)).map(named);
}

/** Reads an input that comes later to its end. */
export async function whole(input, signal) {
  const pieces = [];
  for await (const bytes of piecesOf(input)) {
    signal?.throwIfAborted();
    pieces.push(bytes.slice());
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}
