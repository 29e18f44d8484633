// placemat without fetch: the modules are text in JavaScript.

import { comeFrom } from "./load.js";

const TEXTS = {
  "base.simd": () => import("../dist/base.simd.js"),
  base: () => import("../dist/base.js"),
  "all.simd": () => import("../dist/all.simd.js"),
  all: () => import("../dist/all.js"),
  "detect.simd": () => import("../dist/detect.simd.js"),
  detect: () => import("../dist/detect.js"),
};

comeFrom(async (name) => {
  const { default: text } = await TEXTS[name]();
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
});

export * from "./api.js";
