//! Every function beside the one of `encoding_rs`: all encodings, random and built bytes, every cut, small and exact buffers.

mod common;
mod decoder;
mod encoder;
mod facts;
mod mem;
mod whole;
