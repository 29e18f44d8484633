// The bytes under inspection: an array, or a file that is read in slices and never as a whole.

class Source {
  constructor(bytes) {
    this.blob = bytes instanceof Blob ? bytes : null;
    this.bytes = this.blob ? null : bytes;
    this.size = this.blob ? this.blob.size : bytes.length;
  }

  /** Returns the bytes from `from` up to `to`, or up to the end. */
  async read(from, to) {
    const [start, end] = [Math.max(0, from), Math.min(this.size, to)];
    if (this.bytes) return this.bytes.subarray(start, end);
    const slice = this.blob.slice(start, end);
    if (typeof FileReaderSync === 'function') return new Uint8Array(new FileReaderSync().readAsArrayBuffer(slice));
    return new Uint8Array(await slice.arrayBuffer());
  }

  /** Yields all bytes from an offset on, piece by piece; each piece is valid until the next one is asked for. */
  async *pieces(length, from = 0) {
    let offset = from;
    let reader = null;
    try {
      // Read into the same memory again and again: memory of slices waits for a garbage collection,
      // which comes late.
      reader = this.blob?.slice(from).stream().getReader({ mode: 'byob' });
    } catch {
      // This browser reads by slices.
    }
    if (reader) {
      let buffer = new ArrayBuffer(length);
      try {
        for (;;) {
          const { value, done } = await reader.read(new Uint8Array(buffer));
          if (done) return;
          yield value;
          buffer = value.buffer;
        }
      } finally {
        reader.cancel().catch(() => {});
      }
    }
    for (; offset < this.size; offset += length) yield await this.read(offset, offset + length);
  }
}
