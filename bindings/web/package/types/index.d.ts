/** Bytes: what a `TextDecoder` takes. */
export type Bytes = ArrayBufferView | ArrayBufferLike;
/** Bytes that come later. */
export type LaterBytes =
  | Blob
  | Response
  | ReadableStream<Bytes>
  | AsyncIterable<Bytes>;
/** A label, or an encoding from `lookup` or `encodings`. */
export type Label = string | Encoding;

export interface InitOptions {
  /** Also the multi-byte encodings, MARC-8, transliteration, and the words of the command about errors. */
  all?: boolean;
  /** Also `detect`, `regions`, `repair` and `Document`. */
  detect?: boolean;
  /** The folder of the modules, instead of the one of the package. */
  from?: string | URL;
  /** The module itself: compiled, its bytes, or a response that has them. */
  module?: WebAssembly.Module | BufferSource | Response | Promise<WebAssembly.Module | BufferSource | Response>;
}
/**
 * Loads a module. All else is synchronous once it is there. In Node, Deno and Bun each call loads the module that it needs, and nobody
 * has to call this.
 */
export function init(options?: InitOptions): Promise<void>;
/** Loads the module that an encoding needs, where that is not done by each call. */
export function load(label: Label, options?: InitOptions & LabelOptions): Promise<void>;
/** The module that is loaded. */
export function loaded(): "base" | "all" | "detect" | undefined;

export interface LabelOptions {
  /**
   * Whether labels mean what they mean on the web, where `latin1` is windows-1252. By default true. With "strict", there are no
   * labels but those of the Encoding Standard.
   */
  web?: boolean | "strict";
}

export type ErrorPolicyName =
  | "fatal" | "replace" | "ignore" | "hex" | "latin1" | "cp1252"
  | "surrogateescape" | "surrogatepass" | "optu" | "optu16"
  | "strict" | "stop" | "skip" | "backslashreplace" | "windows-1252";
/**
 * Policies for kinds of ill-formed input, and `default` for all others; without it these stop. The kinds are the values of
 * `IllFormedError.code`; `overlong`, `surrogate`, `lead`, `stray` and `end` name several or are shorter. One error is then a whole broken
 * sequence.
 */
export type ErrorPolicyByKind = { [kind: string]: ErrorPolicyName } & { default?: ErrorPolicyName; with?: never };
/** The replacement for ill-formed input. A function that returns nothing stops. */
export type ErrorPolicy =
  | ErrorPolicyName
  | { with: string }
  | ErrorPolicyByKind
  | ((error: IllFormedError) => string | null | undefined);

export type UnmappablePolicyName =
  | "fatal" | "replace" | "ignore" | "hex" | "xmlref" | "translit"
  | "surrogateescape" | "surrogatepass" | "optu" | "optu16" | "surrogateescape-unchecked" | "optu-unchecked"
  | "strict" | "stop" | "skip" | "backslashreplace" | "html" | "xmlcharrefreplace" | "transliterate";
/** The replacement for text that the target cannot represent. A function that returns nothing stops. */
export type UnmappablePolicy =
  | UnmappablePolicyName
  | { with: string }
  | ((error: UnmappableError) => string | Uint8Array | null | undefined);

/** How much is one error. */
export type Span = "maximal" | "unit" | "structural" | "lead";

export interface DecodeOptions extends LabelOptions {
  errors?: ErrorPolicy;
  span?: Span;
}
export interface EncodeOptions extends LabelOptions {
  unmappable?: UnmappablePolicy;
}
export interface Signal {
  signal?: AbortSignal;
}

/** Bytes that are not text in their encoding. */
export class IllFormedError extends TypeError {
  /** The offset of the ill-formed sequence, in bytes from the start of the text. */
  readonly offset: number;
  /** The length of the ill-formed sequence, in bytes. */
  readonly length: number;
  /** A short stable name: `overlong-2`, `truncated`, `incomplete` … */
  readonly code: string;
  /** The ill-formed sequence. */
  readonly bytes: Uint8Array;
  readonly encoding: string;
  /** What to do. */
  readonly help: string;
}

/** A code point that the target cannot represent. */
export class UnmappableError extends TypeError {
  /** The offset of the code point, in UTF-16 units of the string (in bytes of the source, for `transcode`). */
  readonly offset: number;
  /** The length of the code point in UTF-16 units. */
  readonly length: number;
  /** `not-held`, `surrogate`, `out-of-range`, `switch` or `forged-sequence`. */
  readonly code: string;
  readonly codePoint: number;
  readonly bytes: Uint8Array;
  readonly encoding: string;
  /** What to do. */
  readonly help: string;
}

export interface TextDecoderOptions extends DecodeOptions {
  fatal?: boolean;
  ignoreBOM?: boolean;
}
/** Decodes bytes of any encoding, as the Encoding Standard has it. */
export class TextDecoder {
  constructor(label?: Label, options?: TextDecoderOptions);
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  decode(input?: Bytes, options?: { stream?: boolean }): string;
}
/** Encodes strings into any encoding. */
export class TextEncoder {
  constructor(label?: Label, options?: EncodeOptions);
  readonly encoding: string;
  encode(input?: string, options?: { stream?: boolean }): Uint8Array;
  encodeInto(source: string, destination: Uint8Array): { read: number; written: number };
}

export class TextDecoderStream {
  constructor(label?: Label, options?: TextDecoderOptions & Signal);
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  readonly readable: ReadableStream<string>;
  readonly writable: WritableStream<Bytes>;
}
export class TextEncoderStream {
  constructor(label?: Label, options?: EncodeOptions & Signal);
  readonly encoding: string;
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<string>;
}
export function transcodeStream(
  from: Label,
  to: Label,
  options?: DecodeOptions & EncodeOptions & Signal,
): TransformStream<Bytes, Uint8Array>;

/** The text of bytes; stops at the first error unless `errors` says otherwise. */
export function decode(input: Bytes, label?: Label, options?: DecodeOptions): string;
export function decode(input: LaterBytes, label?: Label, options?: DecodeOptions & Signal): Promise<string>;
/** The bytes of a string; stops at what the encoding lacks unless `unmappable` says otherwise. */
export function encode(text: string, label?: Label, options?: EncodeOptions): Uint8Array;
/** Bytes of one encoding as bytes of another. */
export function transcode(input: Bytes, from: Label, to: Label, options?: DecodeOptions & EncodeOptions): Uint8Array;
export function transcode(
  input: LaterBytes,
  from: Label,
  to: Label,
  options?: DecodeOptions & EncodeOptions & Signal,
): Promise<Uint8Array>;

/** Whether bytes are well-formed. */
export function isValid(input: Bytes, label?: Label, options?: LabelOptions): boolean;
export function isValid(input: LaterBytes, label?: Label, options?: LabelOptions & Signal): Promise<boolean>;
/** All errors, each when it is asked for. */
export function check(input: Bytes, label?: Label, options?: LabelOptions): Iterable<IllFormedError>;
export function check(input: LaterBytes, label?: Label, options?: LabelOptions & Signal): AsyncIterable<IllFormedError>;

export interface Count {
  bytes: number;
  codePoints: number;
  utf8Bytes: number;
  utf16Units: number;
  utf32Bytes: number;
  lineFeeds: number;
  illFormed: number;
}
/** Lengths of the text that bytes are; each error counts as U+FFFD. */
export function count(input: Bytes, label?: Label, options?: LabelOptions): Count;
export function count(input: LaterBytes, label?: Label, options?: LabelOptions & Signal): Promise<Count>;

/** Lengths of a string: in code points, and in bytes of each encoding form. */
export function lengths(text: string): {
  codePoints: number;
  utf8: number;
  utf16: number;
  utf32: number;
  /** Undefined if Latin-1 does not hold the text. */
  latin1: number | undefined;
  loneSurrogates: number;
};

/** One limit: bytes of UTF-8, code points, or grapheme clusters (UAX #29), as `Intl.Segmenter` of the platform has them. */
export type Limit = { bytes: number } | { chars: number } | { graphemes: number };
/** The longest start of a string within the limit that splits no code point or cluster. Bytes are counted in UTF-8. */
export function truncate(text: string, limit: Limit): string;
/** The longest start of UTF-8 bytes within the limit, as a view of the same buffer. */
export function truncate(bytes: Bytes, limit: Limit): Uint8Array;

/** The facts about an encoding. */
export class Encoding {
  private constructor();
  /** In lower case, as `TextDecoder` has it. */
  readonly name: string;
  readonly canonicalName: string;
  readonly labels: readonly string[];
  readonly webLabels: readonly string[];
  readonly about: string;
  readonly documents: string;
  readonly repertoire: string;
  /** The most bytes of a code point. */
  readonly maxBytes: number;
  readonly asciiCompatible: boolean;
  readonly signature: readonly number[];
  /** The module that it needs. */
  readonly module: "base" | "all";
}
export function encodings(): Encoding[];
/** The encoding that a label names. */
export function lookup(label: Label, options?: LabelOptions): Encoding | undefined;
/** The encoding of the byte order mark at the start of bytes. */
export function signature(input: Bytes): { encoding: string; length: number } | undefined;

/** The result of a detection. */
export interface Detection {
  verdict: "empty" | "text" | "binary" | "unknown";
  /** Null unless the verdict is "text". */
  encoding: string | null;
  /** The probability that the encoding is right, or another one that gives the same text: from 0 to 1. */
  confidence: number;
  /** The code of the language, such as "ru". */
  language: string | null;
  basis: "signature" | "ascii" | "well-formed" | "structure" | "statistics" | "declaration" | "nothing";
  signature: { name: string; length: number } | null;
  candidates: { encoding: string; confidence: number; language: string | null; sameText: boolean }[];
  firstNonAscii: number | null;
  declared: { convention: string; label: string; encoding: string | null; offset: number; contradicted: boolean } | null;
  ruledOut: { encoding: string; offset: number; bytes: Uint8Array }[];
  damage: { illFormed: number; wellFormed: number; first: number } | null;
  /** The encodings of the lines, if these are in several: `regions` finds that of each line, and `repair` makes one text of them. */
  mixed: string[];
  length: number;
  isPrefix: boolean;
}
/** The former name of `Detection`. */
export type Sniffed = Detection;
/** The encoding and the language of bytes of unknown origin. In browsers, needs `init({ detect: true })`. */
export function detect(input: Bytes): Detection;
export function detect(input: LaterBytes, options?: Signal): Promise<Detection>;
/** The former name of `detect`. */
export const sniff: typeof detect;
/** A detection that takes its bytes in pieces. In browsers, needs `init({ detect: true })`. */
export class Detector {
  feed(input: Bytes): void;
  /** With `prefix: true`, the text goes on after what was read. The detector is then ready for another text. */
  finish(options?: { prefix?: boolean }): Detection;
}

/** A stretch of a text that is in one encoding. */
export interface Region {
  offset: number;
  length: number;
  /** The number of its first line, from 1. */
  line: number;
  lines: number;
  encoding: string;
  confidence: number;
}
/** The regions of a text in several encodings. In browsers, needs `init({ detect: true })`. */
export function regions(input: Bytes): Region[];
export function regions(input: LaterBytes, options?: Signal): Promise<Region[]>;

export type Step = "wide" | "pairs" | "bytes" | "lost" | "mojibake" | "legacy" | "controls";
/** A change that a repair made: these bytes of the source became this text. */
export interface Change {
  step: Step;
  /** The offset in the source, in bytes. */
  offset: number;
  before: Uint8Array;
  /** The offset in the repaired text, in bytes of UTF-8. */
  repairedOffset: number;
  /** The index in the repaired string. */
  index: number;
  after: string;
  /** The encodings that explain the damage, the outermost layer first. */
  encodings: string[];
  /** Whether some of the text had to be guessed. */
  lossy: boolean;
  confidence: number;
}
export interface Repaired {
  text: string;
  /** The encoding of the source, which `undo` needs. */
  encoding: string;
  changes: Change[];
}
export interface RepairOptions extends LabelOptions, Signal {
  /** The steps to take; all of them, if left out. */
  steps?: Iterable<Step>;
  /** What to write for bytes that cannot be recovered: U+FFFD, or `\xff`. */
  lost?: "replace" | "escape";
  /** The encoding of ill-formed bytes; detected, if left out. */
  fallback?: Label;
  /** Makes only changes that are at least this sure, from 0 to 1. */
  minConfidence?: number;
}
/** Repairs damaged text. In browsers, needs `init({ detect: true })`. */
export function repair(input: Bytes | string, options?: RepairOptions): Repaired;
export function repair(input: LaterBytes, options?: RepairOptions): Promise<Repaired>;
/** The bytes from which `repair` made a text. */
export function undo(text: string | Bytes, record: Pick<Repaired, "encoding"> & { changes: Pick<Change, "offset" | "before" | "repairedOffset" | "after">[] }): Uint8Array;

/** The bytes of a file that an edit changed: the range that was replaced, and the number of bytes in its place. */
export interface Replaced {
  start: number;
  end: number;
  length: number;
}
/** A line and a column as editors and the Language Server Protocol count: both from 0, the column in UTF-16 units. */
export interface Position {
  line: number;
  column: number;
}
/** An edit that would make a byte without text a part of a character. The document is unchanged. */
export class EditError extends Error {}
/**
 * The bytes of a file, edited as text in the encoding of the file: all bytes outside of a change stay as they are, those that are no text
 * too. Offsets of the text are indices of the string `text`. In browsers, needs `init({ detect: true })`.
 */
export class Document {
  constructor(input: Bytes, label?: Label, options?: LabelOptions);
  readonly encoding: string;
  /** The signature at the start of the file, which is no part of the text. */
  readonly signature: Uint8Array;
  /** The 256 code points that represent bytes without text, in the order of the bytes; null if the file had no such bytes. */
  readonly standIns: string | null;
  /** The whole text. It is made again for each use. */
  readonly text: string;
  /** The length of the file in bytes. */
  readonly length: number;
  readonly textLength: number;
  /** The number of lines: of line ends, and one more. */
  readonly lineCount: number;
  toBytes(): Uint8Array;
  slice(start: number, end: number): string;
  /** Throws an UnmappableError, a RangeError or an EditError; the document is then unchanged. */
  replace(start: number, end: number, text: string): Replaced;
  /** Makes all changes, or none. The ranges are those of the text before all of them, from the first to the last. */
  replaceAll(changes: Iterable<[start: number, end: number, text: string]>): void;
  /** The byte of the file at which a character begins; null beyond the end, as with the others. */
  textToByte(offset: number): number | null;
  textOfByte(byte: number): number | null;
  positionOfText(offset: number): Position | null;
  textOfPosition(line: number, column: number): number | null;
  /** Frees the memory of the document at once, not when the garbage collector comes. */
  free(): void;
}
