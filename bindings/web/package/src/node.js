// placemat in Node, Deno and Bun, where nobody has to call `init`.

import "./files.js";

export * from "./api.js";
