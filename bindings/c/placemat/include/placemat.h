/* placemat: everything about UTF-8 and its relatives, from C.
 *
 * Lengths are always given, in code units; no text needs a zero byte at its end, and null is the address of an empty text. No
 * function keeps state outside of a handle (a transcoder, a detector, a repairer, a document). Conversions allocate no memory, but
 * for placemat_transcoder_new, for the answers of a function that decides on errors (PLACEMAT_CALL), and for the tables of some
 * encodings, which the first use makes and the library keeps; detection, repair and documents do. Any thread may call any function;
 * a handle belongs to one thread at a time.
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

// The greatest number of `candidates` and of `mixed` in a `placemat_detection`.
#define PLACEMAT_MAX_CANDIDATES 8

// Text in UTF-16 or UTF-32.
#define PLACEMAT_STEP_WIDE 1

// Surrogate pairs written as two sequences of three bytes (CESU-8), and U+0000 written as C0 80 (Modified UTF-8).
#define PLACEMAT_STEP_PAIRS 2

// Bytes of a legacy encoding inside UTF-8.
#define PLACEMAT_STEP_BYTES 4

// Truncated sequences, overlong forms and other bytes that no encoding explains. Their text is lost.
#define PLACEMAT_STEP_LOST 8

// UTF-8 that was read as another encoding.
#define PLACEMAT_STEP_MOJIBAKE 16

// Text of one legacy encoding that was read as another.
#define PLACEMAT_STEP_LEGACY 32

// C1 controls that were meant as windows-1252.
#define PLACEMAT_STEP_CONTROLS 64

// The greatest number of `encodings` in a `placemat_change`.
#define PLACEMAT_MAX_LAYERS 8

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
  // A value of a policy is out of range, its replacement is longer than 1024 bytes or not UTF-8, a range does not
  // select whole code points, or a handle is null.
  PLACEMAT_BAD_ARGUMENT = 6,
  // The new text of an edit and the bytes around it would read as another text.
  PLACEMAT_READS_OTHERWISE = 7,
} placemat_status;

// The kind of data of a text.
typedef enum placemat_verdict {
  // There are no bytes, or only a signature.
  PLACEMAT_EMPTY = 0,
  // Text in an encoding.
  PLACEMAT_TEXT = 1,
  // No text: an image, a program, an archive.
  PLACEMAT_BINARY = 2,
  // Perhaps text, but in no encoding that is more probable than noise.
  PLACEMAT_UNKNOWN = 3,
} placemat_verdict;

// A detection that takes its text piece by piece, in constant memory.
typedef struct placemat_detector placemat_detector;

// The bytes of a file, which are edited as text in the file's own encoding. All bytes outside of a change stay as they are, those
// that are not text too.
//
// Offsets of the text are in bytes of UTF-8. A signature at the start of the file is not part of the text, and stays. A byte of an
// ill-formed sequence is one code point in the text, its stand-in: U+10FE00 plus the byte, unless the text has such code points
// itself.
typedef struct placemat_document placemat_document;

// A repair that takes its text piece by piece, in constant memory.
typedef struct placemat_repairer placemat_repairer;

// A conversion that takes its text piece by piece.
typedef struct placemat_transcoder placemat_transcoder;

// An encoding: a number from 1 to `placemat_encoding_count()`, a higher one for a page of EBCDIC with the other byte of LF
// (`ibm500,swaplfnl`), or 0 for none. The numbers are those of this version of the library: look encodings up by their labels.
typedef uint32_t placemat_encoding;

// An error in a text. All values are zero if there is none.
typedef struct placemat_error {
  // The offset of the sequence, in code units from the start of the text.
  uint64_t offset;
  // The length of the sequence in code units; 0 for a code point that the target cannot represent.
  size_t length;
  // The code point that the target cannot represent; 0 for an ill-formed sequence.
  uint32_t code_point;
  // 1 if the sequence is well-formed as far as it goes and the text ends within it, or in the state to which it shifts.
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

// An encoding that a text may be in.
typedef struct placemat_candidate {
  // The encoding.
  placemat_encoding encoding;
  // The probability that the encoding is right, or another one that reads the text the same: from 0 to 1.
  float confidence;
  // 1 if this encoding reads the text the same as the one that was found.
  uint32_t is_same_text;
} placemat_candidate;

// The result of a detection.
typedef struct placemat_detection {
  // The kind of data.
  enum placemat_verdict verdict;
  // The most probable encoding; 0 unless the verdict is `PLACEMAT_TEXT`.
  placemat_encoding encoding;
  // The probability that `encoding` is right, or another one that reads the text the same: from 0 to 1. For binary data, the
  // probability that it is not text.
  float confidence;
  // 1 if only the start of a longer text was read.
  uint32_t is_prefix;
  // The number of bytes that were read.
  uint64_t length;
  // The offset of the first byte that is not ASCII; `UINT64_MAX` if there is none.
  uint64_t first_non_ascii;
  // The ill-formed sequences of a text that is UTF-8, or partly UTF-8; else 0.
  uint64_t ill_formed;
  // The offset of the first of them.
  uint64_t first_ill_formed;
  // The length of the signature at the start, in bytes.
  size_t signature_length;
  // The encoding that the text declares; 0 if it declares none that is known.
  placemat_encoding declared;
  // 1 if the bytes contradict the declaration.
  uint32_t contradicts_declaration;
  // The number of `candidates`.
  uint32_t candidate_count;
  // The number of encodings in `mixed`.
  uint32_t mixed_count;
  // The encodings that are worth a look, the most probable first.
  struct placemat_candidate candidates[PLACEMAT_MAX_CANDIDATES];
  // The encodings of the lines, `encoding` first, if these are clearly in several. To decode such a text by `encoding` alone
  // ruins the other lines: `placemat_regions` finds the encoding of each line.
  placemat_encoding mixed[PLACEMAT_MAX_CANDIDATES];
  // The most probable language in English, such as `Russian`, ended by a zero byte; empty if it is not known.
  char language[32];
} placemat_detection;

// A stretch of a text that is in one encoding: whole lines, or a run inside a line of UTF-8.
typedef struct placemat_region {
  // The offset of its first byte.
  uint64_t offset;
  // The number of its bytes.
  uint64_t length;
  // The number of the line in which it begins, from 1.
  uint64_t line;
  // The number of lines of which it has at least a part.
  uint64_t lines;
  // The encoding.
  placemat_encoding encoding;
  // The probability that the encoding is right, or another one that reads the region the same: from 0 to 1.
  float confidence;
} placemat_region;

// A function that receives a region. It returns `true` to receive the next one. It must return: no `longjmp`, no exception.
typedef bool (*placemat_region_callback)(void *data, const struct placemat_region *region);

// A function that receives the next piece of a result; the pieces together are the result. It must return: no `longjmp`, no
// exception.
typedef void (*placemat_text_callback)(void *data, const char *text, size_t length);

// A change that a repair made: these bytes of the source became this text.
typedef struct placemat_change {
  // The step that made the change: `PLACEMAT_STEP_WIDE` and so on.
  uint32_t step;
  // 1 if some of the text had to be guessed, because the damage destroyed it.
  uint32_t is_lossy;
  // The offset in the source, in bytes.
  uint64_t offset;
  // The bytes of the source.
  const char *before;
  // The number of bytes of `before`.
  size_t before_length;
  // The offset in the repaired text, in bytes.
  uint64_t repaired_offset;
  // The text in place of the bytes, in UTF-8.
  const char *after;
  // The number of bytes of `after`.
  size_t after_length;
  // How sure the change is, from 0 to 1.
  float confidence;
  // The number of `encodings`.
  uint32_t encoding_count;
  // The encodings that explain the damage, one for each layer, the outermost first.
  placemat_encoding encodings[PLACEMAT_MAX_LAYERS];
} placemat_change;

// A function that receives a change, whose texts it must copy to keep them. Changes come in the order of their offsets. It must
// return: no `longjmp`, no exception.
typedef void (*placemat_change_callback)(void *data, const struct placemat_change *change);

// The settings of a repair. Those whose bytes are all zero take all steps.
typedef struct placemat_repair_settings {
  // The steps to take, joined by `|`: `PLACEMAT_STEP_WIDE` and so on; 0 for all. Without `PLACEMAT_STEP_BYTES`, ill-formed
  // bytes are lost: the result is well-formed anyway.
  uint32_t steps;
  // The text in place of bytes that cannot be recovered: 0 or `PLACEMAT_REPLACE` for U+FFFD, `PLACEMAT_HEX_ESCAPE` for `\xff`.
  uint32_t lost;
  // The encoding of ill-formed bytes; 0 to detect it.
  placemat_encoding fallback;
  // Makes only changes that are at least this sure, from 0 to 1. What is ill-formed becomes well-formed in any case.
  float min_confidence;
  // The function that receives the repaired text; null if it is not wanted.
  placemat_text_callback write;
  // The function that receives each change; null if they are not wanted.
  placemat_change_callback changed;
  // The first argument of both functions.
  void *data;
} placemat_repair_settings;

// The bytes of a file that an edit changed.
typedef struct placemat_replaced {
  // The offset of the first byte that was replaced.
  size_t start;
  // The offset after the last of them, before the edit.
  size_t end;
  // The number of bytes in their place after the edit.
  size_t length;
} placemat_replaced;

// A change: a range of the text, and the text in its place.
typedef struct placemat_replacement {
  // The start of the range, in bytes of UTF-8.
  size_t start;
  // The end of the range, in bytes of UTF-8.
  size_t end;
  // The text in place of the range, in UTF-8.
  const char *text;
  // The number of bytes of `text`.
  size_t length;
} placemat_replacement;

// A place in a text as editors and the Language Server Protocol count: both numbers from 0. LF, CR LF and CR end a line.
typedef struct placemat_position {
  // The number of the line.
  size_t line;
  // The number of code units of UTF-16 in the line before the place.
  size_t column;
} placemat_position;

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

// Returns the most probable encoding of a whole text; 0 if it is empty, binary, or in no encoding that is more probable than
// noise. `detection`, unless it is null, has the confidence and the reasons.
//
//     placemat_detection found;
//     if (placemat_detect(text, length, &found) && found.confidence >= 0.9) convert(text, length, found.encoding);
//
// `text` has `length` bytes; `detection` is null or writable.
placemat_encoding placemat_detect(const char *text,
                                  size_t length,
                                  struct placemat_detection *detection);

// Makes a detector, which the caller gives back to `placemat_detector_free`.
struct placemat_detector *placemat_detector_new(void);

// Gives a detector back. Null is allowed.
// `detector` is null, or comes from `placemat_detector_new` and was not given back.
void placemat_detector_free(struct placemat_detector *detector);

// Reads the next piece of a text.
// `detector` is null, or comes from `placemat_detector_new`, and only this thread uses it; `text` has `length` bytes.
void placemat_detector_feed(struct placemat_detector *detector,
                            const char *text,
                            size_t length);

// Returns the most probable encoding of all that was read, as `placemat_detect` does, and makes the detector ready for another
// text. Pass `is_prefix` if the text goes on after what was read: then its end is not evidence, and text in ASCII is called
// UTF-8, since what follows may be more than ASCII.
// `detector` is null, or comes from `placemat_detector_new`, and only this thread uses it; `detection` is null or writable.
placemat_encoding placemat_detector_finish(struct placemat_detector *detector,
                                           bool is_prefix,
                                           struct placemat_detection *detection);

// Calls a function with the regions of a whole text, in order: together they are all of its bytes. Returns
// `PLACEMAT_BAD_ARGUMENT` if the function is null.
// `text` has `length` bytes; the function can be called with `data`.
enum placemat_status placemat_regions(const char *text,
                                      size_t length,
                                      placemat_region_callback callback,
                                      void *data);

// Repairs a whole text: the function `write` of the settings receives the repaired text in UTF-8, and `changed` each change.
// Well-formed text without damage comes out unchanged. `encoding`, unless it is null, receives the encoding of the source, which
// `placemat_undo` needs. Returns `PLACEMAT_BAD_ARGUMENT` if a setting is out of range. `settings` may be null.
//
//     placemat_repair_settings settings = {0};
//     settings.write = append;
//     settings.data = &buffer;
//     placemat_repair("caf\xC3\x83\xC2\xA9", 7, &settings, NULL);  // caf\xC3\xA9
//
// `text` has `length` bytes; `settings` is null or readable, and its functions can be called with its data; `encoding` is null or
// writable.
enum placemat_status placemat_repair(const char *text,
                                     size_t length,
                                     const struct placemat_repair_settings *settings,
                                     placemat_encoding *encoding);

// Makes a repairer, which the caller gives back to `placemat_repairer_free`. Null if a setting is out of range. `settings` may be
// null; its functions receive text and changes as they are ready.
// `settings` is null or readable. Its functions can be called with its data as long as the repairer lives.
struct placemat_repairer *placemat_repairer_new(const struct placemat_repair_settings *settings);

// Gives a repairer back. Null is allowed. What it holds and did not finish is forgotten.
// `repairer` is null, or comes from `placemat_repairer_new` and was not given back.
void placemat_repairer_free(struct placemat_repairer *repairer);

// Looks at the next piece of a text that will be repaired. All ill-formed bytes of the text then decide about the encoding of
// each; without it, only those before it do. Look at the whole text before the first call of `placemat_repairer_push`.
// `repairer` is null, or comes from `placemat_repairer_new`, and only this thread uses it; `text` has `length` bytes.
void placemat_repairer_learn(struct placemat_repairer *repairer,
                             const char *text,
                             size_t length);

// Repairs the next piece of a text. Lines that are not complete are kept for the next call.
// `repairer` is null, or comes from `placemat_repairer_new`, and only this thread uses it; `text` has `length` bytes.
void placemat_repairer_push(struct placemat_repairer *repairer,
                            const char *text,
                            size_t length);

// Repairs the rest of a text, and makes the repairer ready for another one. Returns the encoding of the source, which
// `placemat_undo` needs; 0 for null.
// `repairer` is null, or comes from `placemat_repairer_new`, and only this thread uses it.
placemat_encoding placemat_repairer_finish(struct placemat_repairer *repairer);

// Restores the bytes from which a repair made a text: the function `write` receives them. `encoding` is that of the source, and
// `changes` are all changes, in order. Writes nothing and returns `PLACEMAT_ILL_FORMED` if the text is not the one that the
// changes made; `offset`, unless it is null, receives the place where it differs.
// `repaired` has `length` bytes; there are `count` changes, readable with their texts; the function can be called with `data`;
// `offset` is null or writable.
enum placemat_status placemat_undo(const char *repaired,
                                   size_t length,
                                   placemat_encoding encoding,
                                   const struct placemat_change *changes,
                                   size_t count,
                                   placemat_text_callback write,
                                   void *data,
                                   uint64_t *offset);

// Opens the bytes of a file, which are copied. Any bytes will do: those that are not text have stand-ins. The encoding 0 asks for
// detection; `placemat_document_encoding` returns what was found. The caller gives the document back to `placemat_document_free`.
// Null if there is no such encoding, if detection is not sure of one for the whole text, or for a text of over a million
// different code points with bytes that are not text.
//
//     placemat_document *document = placemat_document_open(bytes, length, 0);
//     placemat_status status = placemat_document_replace(document, 0, 5, "Hello", 5, NULL, &error);
//
// `bytes` has `length` bytes.
struct placemat_document *placemat_document_open(const char *bytes,
                                                 size_t length,
                                                 placemat_encoding encoding);

// Gives a document back. Null is allowed.
// `document` is null, or comes from `placemat_document_open` and was not given back.
void placemat_document_free(struct placemat_document *document);

// The encoding of a document; 0 for null.
// `document` is null, or comes from `placemat_document_open`, and only this thread uses it.
placemat_encoding placemat_document_encoding(const struct placemat_document *document);

// The length of the file in bytes, with the signature.
// `document` is null, or comes from `placemat_document_open`, and only this thread uses it.
size_t placemat_document_length(const struct placemat_document *document);

// The length of the signature at the start of the file, in bytes; 0 if there is none.
// `document` is null, or comes from `placemat_document_open`, and only this thread uses it.
size_t placemat_document_signature_length(const struct placemat_document *document);

// The length of the text in bytes of UTF-8.
// `document` is null, or comes from `placemat_document_open`, and only this thread uses it.
size_t placemat_document_text_length(const struct placemat_document *document);

// The length of the text in code units of UTF-16.
// `document` is null, or comes from `placemat_document_open`, and only this thread uses it.
size_t placemat_document_utf16_length(const struct placemat_document *document);

// The number of lines: of line ends, and one more. 0 for null.
// `document` is null, or comes from `placemat_document_open`, and only this thread uses it.
size_t placemat_document_line_count(const struct placemat_document *document);

// The code point that represents a byte without text; 0 if the file had no such bytes when it was opened.
// `document` is null, or comes from `placemat_document_open`, and only this thread uses it.
uint32_t placemat_document_stand_in(const struct placemat_document *document, uint8_t byte);

// Writes a range of the text in UTF-8 to `buffer`: `end` - `start` bytes, without a zero byte at the end. The whole text is the
// range from 0 to `placemat_document_text_length`. Returns `PLACEMAT_BAD_ARGUMENT` if the range does not select whole code points
// of the text, and `PLACEMAT_NEED_OUTPUT` if there is no room for it; nothing is written then.
// `document` is null, or comes from `placemat_document_open`, and only this thread uses it; `buffer` has room for `capacity` bytes.
enum placemat_status placemat_document_text(const struct placemat_document *document,
                                            size_t start,
                                            size_t end,
                                            char *buffer,
                                            size_t capacity);

// Writes the bytes of the file to `buffer`: `placemat_document_length` bytes. Returns `PLACEMAT_NEED_OUTPUT` if there is no room
// for them; nothing is written then.
// `document` is null, or comes from `placemat_document_open`, and only this thread uses it; `buffer` has room for `capacity` bytes.
enum placemat_status placemat_document_bytes(const struct placemat_document *document,
                                             char *buffer,
                                             size_t capacity);

// Replaces a range of the text by `text`, which is UTF-8. Bytes outside of the change stay as they are, those of text included
// that the range and the new text have in common at both ends. `replaced`, unless it is null, receives the bytes that changed.
//
// If the result is not `PLACEMAT_DONE`, the document is unchanged, and `error`, unless it is null, has the reason in words.
// `PLACEMAT_UNMAPPABLE`: the encoding of the file cannot represent a code point, `error->code_point` at `error->offset` of the new
// text. `PLACEMAT_READS_OTHERWISE`: a byte without text would become a part of a sequence. `PLACEMAT_ILL_FORMED`: the new text is
// not UTF-8. `PLACEMAT_BAD_ARGUMENT`: the range does not select whole code points of the text.
// `document` is null, or comes from `placemat_document_open`, and only this thread uses it; `text` has `length` bytes; `replaced`
// and `error` are null or writable.
enum placemat_status placemat_document_replace(struct placemat_document *document,
                                               size_t start,
                                               size_t end,
                                               const char *text,
                                               size_t length,
                                               struct placemat_replaced *replaced,
                                               struct placemat_error *error);

// Makes all changes, or none if one cannot be made. The ranges are those of the text before all of them, from the first to the
// last; the work is linear in the length of the text and of the changes. The results are those of `placemat_document_replace`.
// `failed`, unless it is null, receives the index of the change that was refused; `count` if all were made.
// `document` is null, or comes from `placemat_document_open`, and only this thread uses it; there are `count` changes, readable with
// their texts; `failed` and `error` are null or writable.
enum placemat_status placemat_document_replace_all(struct placemat_document *document,
                                                   const struct placemat_replacement *changes,
                                                   size_t count,
                                                   size_t *failed,
                                                   struct placemat_error *error);

// The offset in the file, in bytes, at which the sequence of the code point at an offset of the text begins; at the end of the
// text, the length of the file. `SIZE_MAX` beyond the end, as with the four functions below.
// `document` is null, or comes from `placemat_document_open`, and only this thread uses it.
size_t placemat_document_text_to_byte(const struct placemat_document *document,
                                      size_t offset);

// The offset of the text at which the sequence with a byte of the file begins; the next one if the byte is a part of a shift or of
// the signature.
// `document` is null, or comes from `placemat_document_open`, and only this thread uses it.
size_t placemat_document_text_of_byte(const struct placemat_document *document,
                                      size_t byte);

// The offset in code units of UTF-16 of an offset of the text.
// `document` is null, or comes from `placemat_document_open`, and only this thread uses it.
size_t placemat_document_utf16_of_text(const struct placemat_document *document, size_t offset);

// The offset of the text of an offset in code units of UTF-16.
// `document` is null, or comes from `placemat_document_open`, and only this thread uses it.
size_t placemat_document_text_of_utf16(const struct placemat_document *document, size_t utf16);

// The offset of the text at a line and a column; a column beyond the end of the line is the end of the line.
// `document` is null, or comes from `placemat_document_open`, and only this thread uses it.
size_t placemat_document_text_of_position(const struct placemat_document *document,
                                          struct placemat_position position);

// Finds the line and the column of an offset of the text. Returns `false` beyond the end.
// `document` is null, or comes from `placemat_document_open`, and only this thread uses it; `position` is null or writable.
bool placemat_document_position_of_text(const struct placemat_document *document,
                                        size_t offset,
                                        struct placemat_position *position);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PLACEMAT_H */
