// The engine, a WebAssembly module: strings and bytes in and out. All of its functions are
// synchronous.

async function unpack(packed) {
  const binary = atob(packed.replace(/\s+/g, ''));
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  const unzipped = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(unzipped).arrayBuffer();
}

async function makeEngine(packed) {
  return startEngine(await unpack(packed));
}

async function startEngine(module) {
  const { instance } = await WebAssembly.instantiate(module, {});
  const wasm = instance.exports;
  const text = new TextDecoder('utf-8', { ignoreBOM: true });
  // The memory grows and moves within calls, so each view is made after the call that returned its
  // address.
  const give = (bytes) => {
    const at = wasm.input(bytes.length);
    new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
  };
  const answerBytes = () => {
    const [at, length] = [wasm.answer_at(), wasm.answer_len()];
    return new Uint8Array(wasm.memory.buffer, at, length);
  };
  const answer = () => JSON.parse(text.decode(answerBytes()));
  const words = (string) => give(new TextEncoder().encode(string));
  const none = new Uint8Array();

  return {
    encodings: () => (wasm.encodings(), answer()),
    lookup: (label) => (words(label.slice(0, 200)), wasm.lookup()),
    scanBegin: (number) => wasm.scan_begin(number),
    scanFeed: (bytes, last) => (give(bytes), wasm.scan_feed(+last), answer()),
    againBegin: (before, after) => (give(before), wasm.again_begin(after)),
    againFeed: (bytes, last) => (give(bytes), wasm.again_feed(+last), answer()),
    scanMark: (offset) => wasm.scan_mark(offset),
    window: (bytes, mark, before, from, to, last) => (give(bytes), wasm.window(mark, before, from, to, +last), answer()),
    detectBegin: () => wasm.detect_begin(),
    detectFeed: (bytes) => (give(bytes), wasm.detect_feed()),
    detectEnd: () => (wasm.detect_end(), answer()),
    fixBegin: () => wasm.fix_begin(),
    fixLearn: (bytes) => (give(bytes), wasm.fix_learn()),
    fixPush: (bytes, last) => (give(bytes), wasm.fix_push(+last), answerBytes().slice()),
    fixReport: () => (wasm.fix_report(), answer()),
    tryEncoding: (bytes, number, whole) => (give(bytes), wasm.try_encoding(number, +whole), answer()),
    convertBegin: (from, to, errors, unmappable) => (words(`${errors} ${unmappable}`), wasm.convert_begin(from, to)),
    convertFeed: (bytes, last) => (give(bytes), wasm.convert_feed(+last), answerBytes().slice()),
    convertReport: () => (wasm.convert_report(), answer()),
    /** Returns everything that a terminal shows for a command of the book that reads these bytes. */
    command: (line, bytes) => {
      const head = new TextEncoder().encode(`${line.replaceAll('\0', '')}\0`);
      const input = new Uint8Array(head.length + bytes.length);
      input.set(head);
      input.set(bytes, head.length);
      give(input);
      wasm.command();
      return text.decode(answerBytes());
    },
    properties: (values) => {
      give(new Uint8Array(Uint32Array.from(values).buffer));
      wasm.properties();
      return answer();
    },
    /** Frees the memory of a large input. */
    forget: () => give(none),
    memory: () => wasm.memory.buffer.byteLength,
  };
}
