// placemat/iconv-lite in browsers and workers.

import "./web.js";

export * from "./iconv.js";
export { default } from "./iconv.js";
