// Bytes of one encoding to bytes of another, in pieces.

import { concat } from "./bytes.js";
import { FromBytes } from "./decode.js";
import { FromString } from "./encode.js";
import { moduleFor } from "./load.js";
import { Converter, ILL_FORMED, NEED_INPUT, NEED_OUTPUT, PIECE, UNMAPPABLE, illFormed, unmappable } from "./module.js";
import { Nearby } from "./nearby.js";

/** Converts bytes from one encoding to another, piece by piece. */
export class Between {
  #nearby = new Nearby();

  constructor(from, to, errors, unmappables) {
    this.from = from;
    this.to = to;
    this.errors = errors;
    this.unmappables = unmappables;
    if (errors.call || unmappables.call) {
      // Policies that are functions write strings, so a string is between the two.
      this.decoding = new FromBytes(from, errors);
      this.encoding = new FromString(to, unmappables);
      this.module = this.decoding.module;
      return;
    }
    moduleFor(from);
    this.module = moduleFor(to);
    this.converter = new Converter(this.module, from, to, errors, unmappables);
    this.holds = false;
  }

  push(bytes, last) {
    const parts = [];
    for (const _ of this.parts(bytes, last, (part) => parts.push(part)));
    return concat(parts);
  }

  *parts(bytes, last, emit) {
    if (this.decoding) {
      for (const _ of this.decoding.parts(bytes, last, (text) => this.encoding.each(text, false, emit))) yield;
      if (last) this.encoding.each("", true, emit);
      return;
    }
    this.#nearby.take(bytes, last);
    try {
      let at = 0;
      do {
        const to = Math.min(bytes.length, at + PIECE);
        this.#piece(bytes.subarray(at, to), last && to === bytes.length, emit);
        at = to;
        yield;
      } while (at < bytes.length);
    } finally {
      this.#nearby.leave(this.holds);
    }
  }

  #piece(bytes, last, emit) {
    const { module, converter } = this;
    const { length } = bytes;
    module.u8.set(bytes, module.inAt);
    for (let at = 0; ; ) {
      const status = converter.run(module.inAt + at, length - at, module.outAt, module.outSize, last);
      const { read, written } = module;
      at += read;
      if (written > 0) emit(module.u8.slice(module.outAt, module.outAt + written));
      if (status === ILL_FORMED) {
        const facts = module.error();
        throw illFormed(module, facts, this.from, this.#nearby.copy(facts.offset));
      }
      if (status === UNMAPPABLE) {
        const facts = module.error();
        throw unmappable(facts, this.to, facts.offset);
      }
      this.holds = status === NEED_INPUT;
      if (status !== NEED_OUTPUT) break;
      if (read === 0 && written === 0) module.grow(converter.leastRoom);
    }
  }

  free() {
    this.converter?.free();
    this.decoding?.free();
    this.encoding?.free();
  }
}
