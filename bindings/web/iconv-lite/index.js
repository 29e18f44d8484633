// iconv-lite's functions by Placemat, as the root of a package.

export * from "placemat/iconv-lite";
export { default, default as "module.exports" } from "placemat/iconv-lite";
