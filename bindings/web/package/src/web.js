// Loads the modules in browsers: the first is text in JavaScript, the others are files beside this one.

import { comeFrom, unpacked } from "./load.js";

// Written out, so that bundlers find them. A bundler may leave `import.meta` empty.
const URLS = {
  all: () => new URL("../dist/all.bin", import.meta.url),
  detect: () => new URL("../dist/detect.bin", import.meta.url),
};

async function compileText() {
  const { default: text } = await import("../dist/base.js");
  return WebAssembly.compile(await unpacked(Uint8Array.from(atob(text), (c) => c.charCodeAt(0))));
}

/** Returns the address of a module. */
function addressOf(name, from) {
  try {
    return from === undefined ? URLS[name]() : new URL(`${name}.bin`, from);
  } catch (cause) {
    throw new Error(`the bundler lost the address of dist/${name}.bin: copy it, and name its folder by init({ from })`, { cause });
  }
}

comeFrom({
  later: async (name, { from }) => {
    if (name === "base") return compileText();
    const url = addressOf(name, from);
    let response;
    try {
      response = await fetch(url);
    } catch (cause) {
      const hint = url.protocol === "file:" ? "; pages from file:// cannot fetch: pass init({ module })" : "";
      throw new Error(`cannot fetch ${url}${hint}`, { cause });
    }
    if (!response.ok) {
      throw new Error(`cannot fetch ${url}: ${response.status} ${response.statusText}; copy dist/${name}.bin of the package, and name its folder by init({ from })`);
    }
    return WebAssembly.compile(await unpacked(new Uint8Array(await response.arrayBuffer())));
  },
});
