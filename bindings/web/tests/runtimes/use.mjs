// A program as a user writes it, for each runtime and bundler.
import { TextDecoder, decode, encode, init, load, transcodeStream } from "placemat";

async function use() {
  await init();
  let found = decode(Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x20, 0x80), "windows-1252");
  await load("shift_jis");
  found += new TextDecoder("shift_jis", { fatal: true }).decode(encode("日本", "shift_jis"));
  try {
    decode(Uint8Array.of(0x61, 0xc0, 0xaf));
  } catch (error) {
    found += ` ${error.offset} ${error.code}`;
  }
  // Long texts take other code paths: ASCII, one byte for each unit, two, and a lone surrogate among them.
  for (const text of ["plain ".repeat(40_000), "forêt ".repeat(30_000), "été d'août ".repeat(300), "日本é€😀".repeat(30_000)]) {
    for (const label of ["utf-8", "utf-16le", "gb18030"]) if (decode(encode(text, label), label) !== text) found += ` ${label} is wrong`;
  }
  const half = `${"日本".repeat(500)}\uD800`;
  if (decode(encode(half, "wtf-8"), "wtf-8") !== half) found += " a half is wrong";
  const stream = new Blob([Uint8Array.of(0xc4, 0xe3)]).stream().pipeThrough(transcodeStream("gbk", "utf-8"));
  return found + " " + (await new Response(stream).text());
}

globalThis.found = use().catch((error) => `failed: ${error?.stack ?? error}`);
if (typeof window === "undefined" || globalThis.Deno) console.log(await globalThis.found);
