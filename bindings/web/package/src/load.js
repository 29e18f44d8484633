// The modules, and which of them is loaded.

import { ENCODINGS, find } from "./labels.js";
import { Module } from "./module.js";

/** The modules, each a superset of the one before. */
export const LEVELS = ["base", "all", "detect"];

const compiled = new Map();
let current;
let source;

/**
 * Sets where the modules come from. `later` is a function from a name such as `base` to a promise of a WebAssembly.Module; `now`, if
 * there is one, returns the module itself, so that nobody has to call `init`.
 */
export function comeFrom(where) {
  source = where;
}

/** Whether the engine has simd128: the smallest module that uses it. */
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

function mustHaveWebAssembly() {
  if (typeof WebAssembly !== "object" || typeof WebAssembly.compile !== "function") {
    throw new Error("placemat needs WebAssembly, which is missing or switched off here");
  }
  if (!WebAssembly.validate(SIMD)) {
    throw new Error("placemat needs WebAssembly with simd128, which browsers have since March 2023");
  }
}

/**
 * Loads a module and all that it needs. Once it is there, calls are synchronous. In Node, Deno and Bun each call loads the module that
 * it needs, and nobody has to call this.
 */
export async function init(options = {}) {
  const level = options.detect ? 2 : options.all ? 1 : 0;
  if (current && current.level >= level) return;
  mustHaveWebAssembly();
  const name = LEVELS[level];
  if (!compiled.has(name)) {
    const load = options.module !== undefined ? given(options.module) : source.later(name, options);
    compiled.set(name, load.catch((cause) => {
      compiled.delete(name);
      throw explained(cause);
    }));
  }
  start(await compiled.get(name), level);
}

/** Starts a compiled module, unless it or a larger one runs. */
function start(module, level) {
  if (current && current.level >= level) return;
  try {
    current = new Module(module, level);
  } catch (cause) {
    throw explained(cause);
  }
}

/** Loads a module at once, if the platform can. */
function loadNow(level) {
  if (source?.now === undefined) return;
  mustHaveWebAssembly();
  let module;
  try {
    module = source.now(LEVELS[level]);
  } catch (cause) {
    throw explained(cause);
  }
  start(module, level);
}

/** Compiles a module from a module, its bytes, or a Response. */
async function given(what) {
  what = await what;
  if (what instanceof WebAssembly.Module) return what;
  const bytes = typeof Response === "function" && what instanceof Response ? await what.arrayBuffer() : what;
  return WebAssembly.compile(await unpacked(new Uint8Array(bytes.buffer ?? bytes, bytes.byteOffset ?? 0, bytes.byteLength)));
}

/** Returns the bytes of a module: as they are, or out of the compression (zlib) in which the package holds it. */
export async function unpacked(bytes) {
  if (bytes[0] !== 0x78) return bytes;
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}

function explained(cause) {
  if (cause instanceof Error && /Content Security Policy|unsafe-eval|disallowed by embedder/i.test(cause.message)) {
    return new Error("the Content-Security-Policy forbids WebAssembly: allow it with script-src 'wasm-unsafe-eval'", { cause });
  }
  return cause;
}

/** Loads the module that a label needs. */
export async function load(label, options = {}) {
  const encoding = find(label, options.web ?? true);
  await init({ ...options, all: encoding?.module === "all" || options.all });
}

/** Returns the loaded module if it has at least this level. */
export function moduleOf(level = 0, what = "this") {
  if (current === undefined || current.level < level) loadNow(level);
  if (current === undefined) {
    throw new Error("placemat is not loaded: call and await init() first");
  }
  if (current.level < level) {
    const option = LEVELS[level];
    throw new Error(`${what} needs another module: call and await init({ ${option}: true }) first`);
  }
  return current;
}

/** Returns the module that has an encoding. */
export function moduleFor(encoding) {
  if (current === undefined) moduleOf(encoding.module === "base" || source?.now === undefined ? 0 : 1);
  if (encoding.number >= current.count) {
    loadNow(1);
    if (encoding.number >= current.count) {
      throw new Error(
        `${encoding.name} is in another module: call and await load('${encoding.name}') or init({ all: true }) first`,
      );
    }
  }
  return current;
}

/** Returns which of the modules is loaded: undefined, 'base', 'all' or 'detect'. */
export const loaded = () => current && LEVELS[current.level];

export { ENCODINGS };
