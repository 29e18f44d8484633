// The modules, and which of them is loaded.

import { ENCODINGS, find } from "./labels.js";
import { Module } from "./module.js";

/** The modules, each a superset of the one before. */
export const LEVELS = ["base", "all", "detect"];

const compiled = new Map();
let current;
let source;

/** Sets where the modules come from: a function from a name such as `base.simd` to a promise of a WebAssembly.Module. */
export function comeFrom(load) {
  source = load;
}

/** Whether the engine has simd128: the smallest module that uses it. */
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

function mustHaveWebAssembly() {
  if (typeof WebAssembly !== "object" || typeof WebAssembly.compile !== "function") {
    throw new Error("placemat needs WebAssembly, which is missing or switched off here");
  }
}

/** Loads a module and all that it needs. Once it is there, calls are synchronous. */
export async function init(options = {}) {
  const level = options.detect ? 2 : options.all ? 1 : 0;
  if (current && current.level >= level) return;
  mustHaveWebAssembly();
  const name = LEVELS[level];
  if (!compiled.has(name)) {
    const simd = options.simd ?? WebAssembly.validate(SIMD);
    const load = options.module !== undefined ? given(options.module) : source(simd ? `${name}.simd` : name, options);
    compiled.set(name, load.catch((cause) => {
      compiled.delete(name);
      throw explained(cause);
    }));
  }
  const module = await compiled.get(name);
  if (current && current.level >= level) return;
  try {
    current = new Module(module, level);
  } catch (cause) {
    throw explained(cause);
  }
}

/** Compiles a module from a module, its bytes, or a Response. */
async function given(what) {
  what = await what;
  if (what instanceof WebAssembly.Module) return what;
  if (typeof Response === "function" && what instanceof Response) return WebAssembly.compile(await what.arrayBuffer());
  return WebAssembly.compile(what);
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
  if (current === undefined) return moduleOf();
  if (encoding.number >= current.count) {
    throw new Error(
      `${encoding.name} is in another module: call and await load('${encoding.name}') or init({ all: true }) first`,
    );
  }
  return current;
}

/** Returns which of the modules is loaded: undefined, 'base', 'all' or 'detect'. */
export const loaded = () => current && LEVELS[current.level];

export { ENCODINGS };
