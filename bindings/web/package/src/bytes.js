// Input: the bytes of any object that has bytes.

const TypedArray = Object.getPrototypeOf(Uint8Array.prototype);
const tag = Object.getOwnPropertyDescriptor(TypedArray, Symbol.toStringTag).get;
const EMPTY = new Uint8Array(0);

const Shared = globalThis.SharedArrayBuffer;
const tagOf = (value) => Object.prototype.toString.call(value);
// Pages that are not isolated lack the name, and still get such buffers, from a shared WebAssembly.Memory.
const isShared = Shared ? (buffer) => buffer instanceof Shared : (buffer) => tagOf(buffer) === "[object SharedArrayBuffer]";
const isBuffer = (value) => value instanceof ArrayBuffer || isShared(value) || /^\[object (Shared)?ArrayBuffer\]$/.test(tagOf(value));

/** Returns the bytes of an ArrayBuffer, a SharedArrayBuffer or a view; undefined for anything else. A detached buffer has no bytes. */
export function bytesOf(input) {
  if (input instanceof Uint8Array) return input;
  if (typeof input !== "object" || input === null) return undefined;
  if (tag.call(input) === "Uint8Array") return input;
  if (ArrayBuffer.isView(input)) {
    // The properties of a view of a buffer that is detached, or became too short, are zero or
    // throw.
    try {
      return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
    } catch {
      return EMPTY;
    }
  }
  if (isBuffer(input)) {
    try {
      return new Uint8Array(input);
    } catch {
      return EMPTY;
    }
  }
  return undefined;
}

/** Returns the bytes of an input, or throws a TypeError. */
export function mustBeBytes(input) {
  const bytes = bytesOf(input);
  if (bytes === undefined) {
    const kind = input === null ? "null" : (input?.constructor?.name ?? typeof input);
    throw new TypeError(
      `expected an ArrayBuffer, a SharedArrayBuffer or a view of one${kind === "String" ? "; strings are encoded, not decoded" : ""}, found ${String(kind).slice(0, 40)}`,
    );
  }
  return bytes;
}

/** Whether other threads may change the bytes meanwhile: if so, they are copied before any code reads them. */
export const mayChange = (bytes) => isShared(bytes.buffer);

/** Whether the pieces of the input come later: a Blob, a File, a Response, a ReadableStream, or any other async iterable. */
export const comesLater = (input) =>
  !ArrayBuffer.isView(input) && typeof input === "object" && input !== null && (typeof input.stream === "function" || typeof input.getReader === "function" || input.body !== undefined || typeof input[Symbol.asyncIterator] === "function");

/** Yields the pieces of such an input. The source is closed when the loop over them ends early. */
export async function* piecesOf(input) {
  if (typeof input.stream === "function") input = input.stream();
  else if (typeof input.getReader !== "function" && input.body !== undefined) input = input.body;
  if (input === null) return;
  if (typeof input.getReader !== "function") {
    for await (const piece of input) yield mustBeBytes(piece);
    return;
  }
  const reader = input.getReader();
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        ended = true;
        return;
      }
      yield mustBeBytes(value);
    }
  } finally {
    if (!ended) await reader.cancel().catch(() => {});
    reader.releaseLock();
  }
}

/** Lets other work run between two pieces. */
export const breathe = () =>
  new Promise((go) => {
    if (typeof globalThis.scheduler?.yield === "function") globalThis.scheduler.yield().then(go);
    else if (typeof setImmediate === "function") setImmediate(go);
    else setTimeout(go);
  });

/** Joins several arrays into one. */
export function concat(parts) {
  if (parts.length === 1) return parts[0];
  let length = 0;
  for (const part of parts) length += part.length;
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
