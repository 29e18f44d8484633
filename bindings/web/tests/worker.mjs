// The package in a worker of a browser.
import * as placemat from "../package/src/index.js";
await placemat.init({ all: true });
postMessage(placemat.decode(Uint8Array.of(0x82, 0xa0), "shift_jis"));
