// The bytes under inspection: an array, or a file that is read by slices and never as a whole.

class Source {
  constructor(bytes) {
    this.blob = bytes instanceof Blob ? bytes : null;
    this.bytes = this.blob ? null : bytes;
    this.size = this.blob ? this.blob.size : bytes.length;
  }

  /** The bytes from `from` up to `to`, as far as there are any. */
  async read(from, to) {
    const [start, end] = [Math.max(0, from), Math.min(this.size, to)];
    if (this.bytes) return this.bytes.subarray(start, end);
    const slice = this.blob.slice(start, end);
    if (typeof FileReaderSync === 'function') return new Uint8Array(new FileReaderSync().readAsArrayBuffer(slice));
    return new Uint8Array(await slice.arrayBuffer());
  }
}
