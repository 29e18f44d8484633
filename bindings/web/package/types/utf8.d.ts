import type { Bytes, LaterBytes, Signal } from "./index.js";
export { lengths, truncate } from "./index.js";

/** Whether bytes are well-formed UTF-8. */
export function isValid(input: Bytes, options?: Signal): boolean;
export function isValid(input: LaterBytes, options?: Signal): Promise<boolean>;
