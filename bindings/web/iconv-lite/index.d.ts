export * from "placemat/iconv-lite";
export { default } from "placemat/iconv-lite";
