// Compiles if the types say what the package does; it never runs.
import * as placemat from "placemat";
import { isValid } from "placemat/utf8";
import iconv, { decode } from "placemat/iconv-lite";

await placemat.init({ all: true });
const decoder = new placemat.TextDecoder("shift_jis", { errors: (error) => `[${error.offset}]` });
const text: string = decoder.decode(new Uint8Array(3), { stream: true });
const strict: string = new placemat.TextDecoder("koi8-r", { web: "strict" }).encoding;
const later: Promise<string> = placemat.decode(new Blob(["a"]), "utf-8", { errors: "replace" });
const bytes: Uint8Array = placemat.encode(text, placemat.lookup("latin1", { web: false }), { unmappable: { with: "?" } });
const { read, written }: { read: number; written: number } = new placemat.TextEncoder().encodeInto(text, bytes);
for (const error of placemat.check(bytes)) console.log(error.code, error.help);
for await (const error of placemat.check(new Blob([]))) console.log(error.bytes.length);
const stream: ReadableStream<string> = new Blob([])
  .stream()
  .pipeThrough(placemat.transcodeStream("gbk", "utf-8", { signal: AbortSignal.timeout(5) }))
  .pipeThrough(new placemat.TextDecoderStream());
const start: string = placemat.truncate(text, { bytes: 5 });
const view: Uint8Array = placemat.truncate(bytes, { graphemes: 5 });
const valid: boolean = isValid(bytes);
const buffer: Buffer = iconv.encode(decode(bytes, "win1251"), "utf16", { addBOM: true });
const document = new placemat.Document(bytes, "shift_jis", { web: false });
const changed: number = document.replace(0, 1, "a").length + (document.textToByte(1) ?? 0) + (document.positionOfText(1)?.line ?? 0);
document.replaceAll([[0, 1, "b"]]);
// @ts-expect-error there is no such policy
placemat.decode(bytes, "utf-8", { errors: "nonsense" });
// @ts-expect-error strings are encoded, not decoded
placemat.decode("text");
// @ts-expect-error lines are no unit
placemat.truncate(text, { lines: 5 });
export { buffer, changed, later, read, start, stream, valid, view, written };
