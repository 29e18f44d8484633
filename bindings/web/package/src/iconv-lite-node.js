// placemat/iconv-lite in Node, Deno and Bun, where nobody has to call `init`. `require` returns the object that iconv-lite is.

import "./files.js";

export * from "./iconv.js";
export { default, default as "module.exports" } from "./iconv.js";
