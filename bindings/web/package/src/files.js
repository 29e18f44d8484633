// Loads the modules in Node, Deno and Bun: from files, at once.

import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import base from "../dist/base.js";
import { comeFrom } from "./load.js";

function now(name, from = new URL("../dist/", import.meta.url)) {
  const small = name === "base" ? Buffer.from(base, "base64") : readFileSync(new URL(`${name}.bin`, from));
  return new WebAssembly.Module(inflateSync(small));
}

comeFrom({ now, later: async (name, { from }) => now(name, from) });
