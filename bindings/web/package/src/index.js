// placemat: the modules come from files beside this one.

import { comeFrom } from "./load.js";

// Written out, so that bundlers find them.
const URLS = {
  "base.simd": () => new URL("../dist/base.simd.wasm", import.meta.url),
  base: () => new URL("../dist/base.wasm", import.meta.url),
  "all.simd": () => new URL("../dist/all.simd.wasm", import.meta.url),
  all: () => new URL("../dist/all.wasm", import.meta.url),
  "detect.simd": () => new URL("../dist/detect.simd.wasm", import.meta.url),
  detect: () => new URL("../dist/detect.wasm", import.meta.url),
};

comeFrom(async (name, { from }) => {
  const url = from === undefined ? URLS[name]() : new URL(`${name}.wasm`, from);
  if (url.protocol === "file:" && globalThis.process?.versions?.node) {
    const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:fs/promises");
    return WebAssembly.compile(await readFile(url));
  }
  let response;
  try {
    response = await fetch(url);
  } catch (cause) {
    const hint = url.protocol === "file:" ? "; pages from file:// cannot fetch: import 'placemat/inline'" : "";
    throw new Error(`cannot fetch ${url}${hint}`, { cause });
  }
  if (!response.ok) throw new Error(`cannot fetch ${url}: ${response.status} ${response.statusText}`);
  // Streaming needs the media type, which not every server sends.
  if (WebAssembly.compileStreaming && /^application\/wasm\b/i.test(response.headers.get("content-type") ?? "")) {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
});

export * from "./api.js";
