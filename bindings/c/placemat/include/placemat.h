/* placemat: everything about UTF-8 and its relatives, from C.
 *
 * Lengths are always given, in code units; no text needs a zero byte at its end, and null is the address of an empty text. No
 * function keeps state outside of a transcoder or allocates memory, but for placemat_transcoder_new, for the answers of a function
 * that decides on errors (PLACEMAT_CALL), and for the tables of some encodings, which the first use makes and the library keeps. Any thread may call any function; a transcoder belongs to one
 * thread at a time.
 *
 * Made by `cargo run -p header` from the Rust source; do not change it by hand.
 * Licence: MIT or Apache-2.0, at your choice. */

#ifndef PLACEMAT_H
#define PLACEMAT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// Stops at the first error. For ill-formed input and for unmappable text.
#define PLACEMAT_STOP 0

// Writes U+FFFD, or `?` where the target has no U+FFFD. For both.
#define PLACEMAT_REPLACE 1

// Writes the text of the policy. For both.
#define PLACEMAT_REPLACE_WITH 2

// Leaves it out. For both.
#define PLACEMAT_SKIP 3

// Writes `\xff` for each byte; for a code point `\xe9`, `\u20ac` or `\U0001f600`. For both.
#define PLACEMAT_HEX_ESCAPE 4

// Bytes 80..FF become U+DC80..U+DCFF and back, as in Python's `surrogateescape`. For both.
#define PLACEMAT_SURROGATE_ESCAPE 5

// Lets surrogates through, where the encoding has a form for them. For both.
#define PLACEMAT_SURROGATE_PASS 6

// Calls the function of the policy. For both.
#define PLACEMAT_CALL 7

// Reads the bytes as Latin-1. For ill-formed input.
#define PLACEMAT_AS_LATIN1 8

// Reads the bytes as windows-1252. For ill-formed input.
#define PLACEMAT_AS_CP1252 9

// Writes `&#8364;`. For unmappable text.
#define PLACEMAT_XML_REFERENCE 10

// Writes similar text: `EUR` for the euro sign. For unmappable text.
#define PLACEMAT_TRANSLITERATE 11

// Bytes 80..FF become U+EF80..U+EFFF and back; those code points are escaped too, so every byte string survives. For both.
#define PLACEMAT_OPTU 12

// `PLACEMAT_OPTU` as MirBSD has it for 16-bit text. For both.
#define PLACEMAT_OPTU16 13

// `PLACEMAT_SURROGATE_ESCAPE` without the check that the bytes join into no well-formed sequence. For unmappable text.
#define PLACEMAT_SURROGATE_ESCAPE_UNCHECKED 14

// `PLACEMAT_OPTU` without the check that the bytes join into no well-formed sequence. For unmappable text.
#define PLACEMAT_OPTU_UNCHECKED 15

// No policy: `placemat_policy_for_name` does not know the name. A conversion with it answers `PLACEMAT_BAD_ARGUMENT`.
#define PLACEMAT_UNKNOWN_POLICY UINT32_MAX

// One error is a maximal subpart, as the Unicode Standard and the WHATWG have it.
#define PLACEMAT_SPAN_MAXIMAL 0

// One error is one code unit.
#define PLACEMAT_SPAN_UNIT 1

// One error is a lead byte with its continuation bytes.
#define PLACEMAT_SPAN_STRUCTURAL 2

// One error is all bytes that the lead byte announces.
#define PLACEMAT_SPAN_LEAD 3

// Why a call ended.
typedef enum placemat_status {
  // Everything was read and written.
  PLACEMAT_DONE = 0,
  // Everything was read; the text goes on with the next call.
  PLACEMAT_NEED_INPUT = 1,
  // There is no room for the next character. Call again with the rest of the input and another buffer.
  PLACEMAT_NEED_OUTPUT = 2,
  // The input is ill-formed, and the policy says to stop. `placemat_error` has the offset and the kind.
  PLACEMAT_ILL_FORMED = 3,
  // The target encoding cannot represent a code point, and the policy says to stop.
  PLACEMAT_UNMAPPABLE = 4,
  // The encoding is 0 or not one of this library.
  PLACEMAT_UNKNOWN_ENCODING = 5,
  // A value of a policy is out of range, its replacement is longer than 1024 bytes or not UTF-8, or a handle is null.
  PLACEMAT_BAD_ARGUMENT = 6,
} placemat_status;

// A conversion that takes its text piece by piece.
typedef struct placemat_transcoder placemat_transcoder;

// An encoding: a number from 1 to `placemat_encoding_count()`, or 0 for none. The numbers are those of this version of the
// library: look encodings up by their labels.
typedef uint32_t placemat_encoding;

// An error in a text. All values are zero if there is none.
typedef struct placemat_error {
  // The offset of the sequence, in code units from the start of the text.
  uint64_t offset;
  // The length of the sequence in code units; 0 for a code point that the target cannot represent.
  size_t length;
  // The code point that the target cannot represent; 0 for an ill-formed sequence.
  uint32_t code_point;
  // 1 if the sequence is well-formed as far as it goes and the text ends within it.
  uint32_t is_incomplete;
  // The number of `bytes`.
  uint32_t byte_count;
  // The first bytes of the sequence, in the order of the text.
  uint8_t bytes[16];
  // The kind in one word, such as `overlong-2`, ended by a zero byte.
  char code[28];
  // The error in words, such as `overlong sequence 0xc0 at offset 17`, ended by a zero byte.
  char message[128];
} placemat_error;

// The progress of a call. Both counts are exact whatever the status.
typedef struct placemat_progress {
  // Why the call ended.
  enum placemat_status status;
  // Code units of the input that were read.
  size_t read;
  // Code units of the output that were written.
  size_t written;
} placemat_progress;

// A function that decides on an error; `error->code_point` is not 0 for unmappable text. To replace it, the function
// writes UTF-8 to `text`, which has room for `*length` bytes, sets `*length`, and returns true. To stop there, it returns
// false. A conversion asks it once about each error, in the order of the text, however text and output are cut, so it may
// count. `placemat_converted_length`, each call of `placemat_convert`, and a transcoder after its reset are conversions of
// their own, which ask again. It must return: no `longjmp`, no exception.
typedef bool (*placemat_callback)(void *data, const struct placemat_error *error, char *text, size_t *length);

// The policies of a conversion. One whose bytes are all zero stops at every error.
typedef struct placemat_policy {
  // For ill-formed input: `PLACEMAT_STOP` and so on.
  uint32_t on_error;
  // For text that the target cannot represent: `PLACEMAT_STOP` and so on.
  uint32_t on_unmappable;
  // How much is one error: `PLACEMAT_SPAN_MAXIMAL` and so on.
  uint32_t span;
  // The replacement of ill-formed input, in UTF-8, for `PLACEMAT_REPLACE_WITH`: at most 1024 bytes. It is copied.
  const char *error_text;
  // The length of `error_text` in bytes.
  size_t error_text_length;
  // The replacement of unmappable text, in the same way.
  const char *unmappable_text;
  // The length of `unmappable_text` in bytes.
  size_t unmappable_text_length;
  // The function for `PLACEMAT_CALL`.
  placemat_callback callback;
  // The first argument of the function.
  void *data;
} placemat_policy;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The encoding that a label names: `UTF-8`, `latin1`, `cp1251`, and the names that iconv(3) has for encodings known here. Case and
// punctuation do not matter. A locale (`en_AU.UTF-8`) and a `Content-Type` (`text/html;charset=UTF-8`) are taken for the label in
// them. 0 if it is unknown; `placemat_label_about` explains some. The suffixes of iconv, `//TRANSLIT` and `//IGNORE`, belong to no label: they are
// `PLACEMAT_TRANSLITERATE` and `PLACEMAT_SKIP` in a policy.
// `label` has `length` bytes.
placemat_encoding placemat_encoding_for_label(const char *label,
                                              size_t length);

// The encoding that a browser uses for a label (WHATWG Encoding Standard, section 4.2). 0 if it knows none.
// `label` has `length` bytes.
placemat_encoding placemat_encoding_for_web_label(const char *label, size_t length);

// The encoding of a POSIX locale such as `de_DE.ISO8859-1`. 0 if the name has none.
// `locale` has `length` bytes.
placemat_encoding placemat_encoding_for_locale(const char *locale, size_t length);

// Writes to `buffer` what a name is that looks like a label and is no encoding, and what to use, for a message: `utf-8b`, `utf-9`,
// `utf-18`, `utf-8-mac`. The text ends with a zero byte and is truncated where there is no room. Returns the length of the whole text,
// without the zero byte; 0 if there is nothing to say, which is so for the label of an encoding. No text is longer than 255 bytes.
// `label` has `length` bytes; `buffer` has room for `capacity` bytes.
size_t placemat_label_about(const char *label,
                            size_t length,
                            char *buffer,
                            size_t capacity);

// The number of encodings.
uint32_t placemat_encoding_count(void);

// Writes the name of an encoding to `buffer`, ended by a zero byte and truncated where there is no room. Returns the length of
// the whole name, without the zero byte; 0 if there is no such encoding. No name is longer than 63 bytes.
// `buffer` has room for `capacity` bytes.
size_t placemat_encoding_name(placemat_encoding encoding,
                              char *buffer,
                              size_t capacity);

// The maximum number of bytes that one code point takes in an encoding, without a signature at the start; 0 if there is no such encoding.
size_t placemat_encoding_max_bytes(placemat_encoding encoding);

// The encoding that the signature (the byte order mark) at the start of a text gives; 0 if there is none.
// `signature_length` may be null.
// `text` has `length` bytes; `signature_length` is null or writable.
placemat_encoding placemat_sniff(const char *text, size_t length, size_t *signature_length);

// The version of the library: `0.1.0`.
const char *placemat_version(void);

// The level of instructions that this machine runs: `avx512`, `avx2`, `neon` or `portable`.
const char *placemat_isa(void);

// Whether a text is well-formed UTF-8, of `length` bytes. If not, `error`, unless it is null, says where and why.
//
//     placemat_error error;
//     if (!placemat_utf8_validate("caf\xC3", 4, &error)) puts(error.message);
//
// `text` has `length` bytes; `error` is null or writable.
bool placemat_utf8_validate(const char *text,
                            size_t length,
                            struct placemat_error *error);

// Whether a text is well-formed UTF-16, of `length` code units in the byte order of the machine. Offsets in `error` are in
// code units.
// `text` has `length` units; `error` is null or writable.
bool placemat_utf16_validate(const uint16_t *text,
                             size_t length,
                             struct placemat_error *error);

// Whether a text is well-formed UTF-32, of `length` code units in the byte order of the machine: whether all are scalar values.
// Offsets in `error` are in code units.
// `text` has `length` units; `error` is null or writable.
bool placemat_utf32_validate(const uint32_t *text,
                             size_t length,
                             struct placemat_error *error);

// Whether a text is ASCII.
// `text` has `length` bytes.
bool placemat_is_ascii(const char *text, size_t length);

// The number of code points in well-formed UTF-8. Of other text, the number of bytes that are no continuation bytes.
// `text` has `length` bytes.
size_t placemat_utf8_count(const char *text,
                           size_t length);

// The length of the longest beginning of a text in UTF-8 that has at most `max` bytes and splits no sequence.
//
//     // "caf": the two bytes of the last letter do not fit.
//     length = placemat_utf8_truncate("caf\xC3\xA9", 5, 4);
//
// `text` has `length` bytes.
size_t placemat_utf8_truncate(const char *text, size_t length, size_t max);

// The length in bytes of the longest beginning of a text in UTF-8 that has at most `max` code points. Ill-formed
// text counts as in `placemat_utf8_count`.
// `text` has `length` bytes.
size_t placemat_utf8_truncate_code_points(const char *text,
                                          size_t length,
                                          size_t max);

// The length in UTF-16 code units of a text in UTF-8 of `length` code units. Exact for well-formed text.
// `text` has `length` code units.
size_t placemat_utf16_length_from_utf8(const char *text, size_t length);

// The length in UTF-32 code units of a text in UTF-8 of `length` code units. Exact for well-formed text.
// `text` has `length` code units.
size_t placemat_utf32_length_from_utf8(const char *text, size_t length);

// The length of a text in Latin-1, for UTF-8 of `length` code units: its number of code points. Exact for well-formed text.
// `text` has `length` code units.
size_t placemat_latin1_length_from_utf8(const char *text,
                                        size_t length);

// The length in UTF-8 code units of a text in UTF-16 of `length` code units. Exact for well-formed text.
// `text` has `length` code units.
size_t placemat_utf8_length_from_utf16(const uint16_t *text, size_t length);

// The length in UTF-32 code units of a text in UTF-16 of `length` code units. Exact for well-formed text.
// `text` has `length` code units.
size_t placemat_utf32_length_from_utf16(const uint16_t *text, size_t length);

// The length of a text in Latin-1, for UTF-16 of `length` code units: its number of code points. Exact for well-formed text.
// `text` has `length` code units.
size_t placemat_latin1_length_from_utf16(const uint16_t *text,
                                         size_t length);

// The length in UTF-8 code units of a text in UTF-32 of `length` code units. Exact for well-formed text.
// `text` has `length` code units.
size_t placemat_utf8_length_from_utf32(const uint32_t *text, size_t length);

// The length in UTF-16 code units of a text in UTF-32 of `length` code units. Exact for well-formed text.
// `text` has `length` code units.
size_t placemat_utf16_length_from_utf32(const uint32_t *text, size_t length);

// The length of a text in Latin-1, for UTF-32 of `length` code units: its number of code points. Exact for well-formed text.
// `text` has `length` code units.
size_t placemat_latin1_length_from_utf32(const uint32_t *text,
                                         size_t length);

// The length in UTF-8 code units of a text in Latin-1 of `length` code units.
// `text` has `length` code units.
size_t placemat_utf8_length_from_latin1(const char *text, size_t length);

// The length in UTF-16 code units of a text in Latin-1 of `length` code units.
// `text` has `length` code units.
size_t placemat_utf16_length_from_latin1(const char *text, size_t length);

// The length in UTF-32 code units of a text in Latin-1 of `length` code units.
// `text` has `length` code units.
size_t placemat_utf32_length_from_latin1(const char *text, size_t length);

// Converts UTF-8 to UTF-16, up to the first error; lengths are in code units. `error` may be null.
// `text` has `length` code units, `out` has room for `capacity`, and they do not overlap; `error` is null or writable.
struct placemat_progress placemat_utf8_to_utf16(const char *text,
                                                size_t length,
                                                uint16_t *out,
                                                size_t capacity,
                                                struct placemat_error *error);

// Converts UTF-8 to UTF-32, up to the first error; lengths are in code units. `error` may be null.
// `text` has `length` code units, `out` has room for `capacity`, and they do not overlap; `error` is null or writable.
struct placemat_progress placemat_utf8_to_utf32(const char *text,
                                                size_t length,
                                                uint32_t *out,
                                                size_t capacity,
                                                struct placemat_error *error);

// Converts UTF-8 to Latin-1, up to the first error; lengths are in code units. `error` may be null.
// `text` has `length` code units, `out` has room for `capacity`, and they do not overlap; `error` is null or writable.
struct placemat_progress placemat_utf8_to_latin1(const char *text,
                                                 size_t length,
                                                 char *out,
                                                 size_t capacity,
                                                 struct placemat_error *error);

// Converts UTF-16 to UTF-8, up to the first error; lengths are in code units. `error` may be null.
// `text` has `length` code units, `out` has room for `capacity`, and they do not overlap; `error` is null or writable.
struct placemat_progress placemat_utf16_to_utf8(const uint16_t *text,
                                                size_t length,
                                                char *out,
                                                size_t capacity,
                                                struct placemat_error *error);

// Converts UTF-16 to UTF-32, up to the first error; lengths are in code units. `error` may be null.
// `text` has `length` code units, `out` has room for `capacity`, and they do not overlap; `error` is null or writable.
struct placemat_progress placemat_utf16_to_utf32(const uint16_t *text,
                                                 size_t length,
                                                 uint32_t *out,
                                                 size_t capacity,
                                                 struct placemat_error *error);

// Converts UTF-16 to Latin-1, up to the first error; lengths are in code units. `error` may be null.
// `text` has `length` code units, `out` has room for `capacity`, and they do not overlap; `error` is null or writable.
struct placemat_progress placemat_utf16_to_latin1(const uint16_t *text,
                                                  size_t length,
                                                  char *out,
                                                  size_t capacity,
                                                  struct placemat_error *error);

// Converts UTF-32 to UTF-8, up to the first error; lengths are in code units. `error` may be null.
// `text` has `length` code units, `out` has room for `capacity`, and they do not overlap; `error` is null or writable.
struct placemat_progress placemat_utf32_to_utf8(const uint32_t *text,
                                                size_t length,
                                                char *out,
                                                size_t capacity,
                                                struct placemat_error *error);

// Converts UTF-32 to UTF-16, up to the first error; lengths are in code units. `error` may be null.
// `text` has `length` code units, `out` has room for `capacity`, and they do not overlap; `error` is null or writable.
struct placemat_progress placemat_utf32_to_utf16(const uint32_t *text,
                                                 size_t length,
                                                 uint16_t *out,
                                                 size_t capacity,
                                                 struct placemat_error *error);

// Converts UTF-32 to Latin-1, up to the first error; lengths are in code units. `error` may be null.
// `text` has `length` code units, `out` has room for `capacity`, and they do not overlap; `error` is null or writable.
struct placemat_progress placemat_utf32_to_latin1(const uint32_t *text,
                                                  size_t length,
                                                  char *out,
                                                  size_t capacity,
                                                  struct placemat_error *error);

// Converts Latin-1 to UTF-8, up to the first error; lengths are in code units. `error` may be null.
// `text` has `length` code units, `out` has room for `capacity`, and they do not overlap; `error` is null or writable.
struct placemat_progress placemat_latin1_to_utf8(const char *text,
                                                 size_t length,
                                                 char *out,
                                                 size_t capacity,
                                                 struct placemat_error *error);

// Converts Latin-1 to UTF-16, up to the first error; lengths are in code units. `error` may be null.
// `text` has `length` code units, `out` has room for `capacity`, and they do not overlap; `error` is null or writable.
struct placemat_progress placemat_latin1_to_utf16(const char *text,
                                                  size_t length,
                                                  uint16_t *out,
                                                  size_t capacity,
                                                  struct placemat_error *error);

// Converts Latin-1 to UTF-32, up to the first error; lengths are in code units. `error` may be null.
// `text` has `length` code units, `out` has room for `capacity`, and they do not overlap; `error` is null or writable.
struct placemat_progress placemat_latin1_to_utf32(const char *text,
                                                  size_t length,
                                                  uint32_t *out,
                                                  size_t capacity,
                                                  struct placemat_error *error);

// The policy that a name means, in any case: `strict`, `replace`, `ignore`, `backslashreplace`, `surrogateescape`,
// `surrogatepass`, `latin1`, `cp1252`, `xmlcharrefreplace`, `translit`, `optu`, `optu16`, `surrogateescape-unchecked`,
// `optu-unchecked`. `PLACEMAT_UNKNOWN_POLICY` for any other.
//
//     policy.on_error = placemat_policy_for_name("replace", 7);
//
// `name` has `length` bytes.
uint32_t placemat_policy_for_name(const char *name,
                                  size_t length);

// Whether a text is well-formed in an encoding. If not, `error`, unless it is null, says where and why. Of an unknown
// encoding no text is well-formed, and `error` has length 0.
// `text` has `length` bytes; `error` is null or writable.
bool placemat_validate(placemat_encoding encoding,
                       const char *text,
                       size_t length,
                       struct placemat_error *error);

// Converts a whole text. If the status is `PLACEMAT_NEED_OUTPUT`, ask `placemat_converted_length` and call again with the
// whole text. `policy` and `error` may be null; without a policy the conversion stops at every error.
// `text` has `length` bytes, `out` has room for `capacity`, and they do not overlap; `policy` is null or readable, with its
// texts; `error` is null or writable.
struct placemat_progress placemat_convert(placemat_encoding from,
                                          placemat_encoding to,
                                          const struct placemat_policy *policy,
                                          const char *text,
                                          size_t length,
                                          char *out,
                                          size_t capacity,
                                          struct placemat_error *error);

// The number of bytes that `placemat_convert` writes for a text: up to the first error, if the policy says to stop. It
// converts the text and throws the result away. 0 for an unknown encoding or a policy that is out of range.
// `text` has `length` bytes; `policy` is null or readable, with its texts.
size_t placemat_converted_length(placemat_encoding from,
                                 placemat_encoding to,
                                 const struct placemat_policy *policy,
                                 const char *text,
                                 size_t length);

// Makes a transcoder, which the caller gives back to `placemat_transcoder_free`. Null for an unknown encoding, or a policy
// that is out of range; `status`, unless it is null, says which.
// `policy` is null or readable, with its texts; `status` is null or writable. A function in the policy can be called with
// its data as long as the transcoder lives.
struct placemat_transcoder *placemat_transcoder_new(placemat_encoding from,
                                                    placemat_encoding to,
                                                    const struct placemat_policy *policy,
                                                    enum placemat_status *status);

// Gives a transcoder back. Null is allowed.
// `transcoder` is null, or comes from `placemat_transcoder_new` and was not given back.
void placemat_transcoder_free(struct placemat_transcoder *transcoder);

// Converts as much of a piece as fits into `out`. Pass `last` if the text ends with the piece. A sequence that the piece
// cuts is kept for the next call and counts as read. After `PLACEMAT_NEED_OUTPUT`, and to go on after an error, call again
// with the rest of the piece; after `PLACEMAT_DONE`, reset or free. Offsets in `error` count from the start of the text.
// `transcoder` is null, or comes from `placemat_transcoder_new`, and only this thread uses it; `text` has `length` bytes, `out`
// has room for `capacity`, and they do not overlap; `error` is null or writable.
struct placemat_progress placemat_transcoder_convert(struct placemat_transcoder *transcoder,
                                                     const char *text,
                                                     size_t length,
                                                     char *out,
                                                     size_t capacity,
                                                     bool last,
                                                     struct placemat_error *error);

// Ends the output of a conversion that is given up: writes what closes a text in the target, such as a shift back, and
// forgets input that was read and not converted yet.
// `transcoder` is null, or comes from `placemat_transcoder_new`, and only this thread uses it; `out` has room for `capacity`.
struct placemat_progress placemat_transcoder_close(struct placemat_transcoder *transcoder,
                                                   char *out,
                                                   size_t capacity);

// Goes back to the start of a text, and writes nothing.
// `transcoder` is null, or comes from `placemat_transcoder_new`, and only this thread uses it.
void placemat_transcoder_reset(struct placemat_transcoder *transcoder);

// A `capacity` with which every call makes progress, in bytes; 0 for null. It is small, but for policies with a text or a
// function: then it has room for the longest answer that is possible, up to 16 MiB, though few answers need it.
// `transcoder` is null, or comes from `placemat_transcoder_new`, and only this thread uses it.
size_t placemat_transcoder_min_output(const struct placemat_transcoder *transcoder);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PLACEMAT_H */
