// placemat in browsers and workers.

import "./web.js";

export * from "./api.js";
