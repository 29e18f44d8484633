/// <reference types="node" />
import type { Transform } from "node:stream";
export { init, load } from "./index.js";

export interface Options {
  stripBOM?: boolean | (() => void);
  addBOM?: boolean;
  defaultEncoding?: string;
}
export interface EncoderStream {
  write(text: string): Buffer;
  end(): Buffer | undefined;
}
export interface DecoderStream {
  write(bytes: Uint8Array): string;
  end(): string | undefined;
}
export function decode(buffer: Uint8Array, encoding: string, options?: Options): string;
export function encode(content: string, encoding: string, options?: Options): Buffer;
export function encodingExists(encoding: string): boolean;
export function getEncoder(encoding: string, options?: Options): EncoderStream;
export function getDecoder(encoding: string, options?: Options): DecoderStream;
export function encodeStream(encoding: string, options?: Options): Transform;
export function decodeStream(encoding: string, options?: Options): Transform;
export function enableStreamingAPI(stream: { Transform: unknown }): void;
export const supportsStreams: boolean;
export const defaultCharUnicode: string;
export const defaultCharSingleByte: string;
export const toEncoding: typeof encode;
export const fromEncoding: typeof decode;
declare const iconv: {
  decode: typeof decode;
  encode: typeof encode;
  encodingExists: typeof encodingExists;
  getEncoder: typeof getEncoder;
  getDecoder: typeof getDecoder;
  encodeStream: typeof encodeStream;
  decodeStream: typeof decodeStream;
  enableStreamingAPI: typeof enableStreamingAPI;
  supportsStreams: boolean;
  skipDecodeWarning: boolean;
  readonly defaultCharUnicode: string;
  readonly defaultCharSingleByte: string;
};
export default iconv;
