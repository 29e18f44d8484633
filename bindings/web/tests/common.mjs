// Helpers that several tests share.
import { readFileSync, existsSync } from "node:fs";
import * as placemat from "../package/src/node.js";

await placemat.init({ all: true });
export { placemat };

export const bytes = (hex) => Uint8Array.from(hex.replace(/\s/g, "").match(/../g) ?? [], (byte) => parseInt(byte, 16));
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");

/** Makes a small random number generator, so that a failure can be repeated. */
export function random(seed = 1) {
  return (below) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
}

/** The folder of test data, or undefined; says so once. */
export const DATA = new URL(`${process.env.PLACEMAT_TESTDATA ?? new URL("../../../../shared/testdata", import.meta.url).pathname}/`, "file:");
export const hasData = existsSync(new URL("cases/", DATA));
if (!hasData) {
  console.error(`\n**** RUNS WITHOUT TEST DATA: no ${DATA.pathname}cases; set PLACEMAT_TESTDATA. The cases of WPT are NOT tested. ****\n`);
}
export const cases = (suite) =>
  readFileSync(new URL(`cases/${suite}.jsonl`, DATA), "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));

export const thrown = (call) => {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error("it threw nothing");
};
