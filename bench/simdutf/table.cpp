// The functions of simdutf that are measured, as a table. Each compiler makes a copy of its own: the build script gives
// the namespace and the table another name for each, so that one program holds them all. The table is in this file with
// simdutf itself, so that a call costs no more than one from C++.
#include "simdutf.cpp"

#include <cstring>

// The result of a function that reports the place of an error, for C.
struct Outcome {
  uint32_t error;
  size_t count;
};

// The order is that of `Simdutf` in src/lib.rs.
struct Table {
  const char *version;
  bool (*select)(const char *name);
  bool (*validate_utf8)(const char *, size_t);
  Outcome (*validate_utf8_with_errors)(const char *, size_t);
  bool (*validate_utf16)(const char16_t *, size_t);
  size_t (*count_utf8)(const char *, size_t);
  size_t (*utf16_length_from_utf8)(const char *, size_t);
  size_t (*utf8_length_from_utf16)(const char16_t *, size_t);
  size_t (*utf32_length_from_utf16)(const char16_t *, size_t);
  size_t (*utf8_length_from_utf32)(const char32_t *, size_t);
  size_t (*utf8_length_from_latin1)(const char *, size_t);
  size_t (*utf8_to_utf16le)(const char *, size_t, char16_t *);
  size_t (*utf8_to_utf16be)(const char *, size_t, char16_t *);
  size_t (*utf8_to_utf32)(const char *, size_t, char32_t *);
  size_t (*utf8_to_latin1)(const char *, size_t, char *);
  size_t (*utf16le_to_utf8)(const char16_t *, size_t, char *);
  size_t (*utf16be_to_utf8)(const char16_t *, size_t, char *);
  size_t (*utf16_to_utf32)(const char16_t *, size_t, char32_t *);
  size_t (*utf16_to_latin1)(const char16_t *, size_t, char *);
  size_t (*utf32_to_utf8)(const char32_t *, size_t, char *);
  size_t (*utf32_to_utf16)(const char32_t *, size_t, char16_t *);
  size_t (*latin1_to_utf8)(const char *, size_t, char *);
  size_t (*latin1_to_utf16)(const char *, size_t, char16_t *);
};

// Makes simdutf use one of its instruction sets.
static bool select(const char *name) {
  for (const simdutf::implementation *one : simdutf::get_available_implementations()) {
    if (one->name() == name && one->supported_by_runtime_system()) {
      simdutf::get_active_implementation() = one;
      return true;
    }
  }
  return false;
}

extern "C" {
extern const Table PLACEMAT_TABLE;
}

const Table PLACEMAT_TABLE = {
    SIMDUTF_VERSION,
    select,
    [](const char *s, size_t n) { return simdutf::validate_utf8(s, n); },
    [](const char *s, size_t n) {
      simdutf::result r = simdutf::validate_utf8_with_errors(s, n);
      return Outcome{uint32_t(r.error), r.count};
    },
    [](const char16_t *s, size_t n) { return simdutf::validate_utf16(s, n); },
    [](const char *s, size_t n) { return simdutf::count_utf8(s, n); },
    [](const char *s, size_t n) { return simdutf::utf16_length_from_utf8(s, n); },
    [](const char16_t *s, size_t n) { return simdutf::utf8_length_from_utf16(s, n); },
    [](const char16_t *s, size_t n) { return simdutf::utf32_length_from_utf16(s, n); },
    [](const char32_t *s, size_t n) { return simdutf::utf8_length_from_utf32(s, n); },
    [](const char *s, size_t n) { return simdutf::utf8_length_from_latin1(s, n); },
    [](const char *s, size_t n, char16_t *d) { return simdutf::convert_utf8_to_utf16le(s, n, d); },
    [](const char *s, size_t n, char16_t *d) { return simdutf::convert_utf8_to_utf16be(s, n, d); },
    [](const char *s, size_t n, char32_t *d) { return simdutf::convert_utf8_to_utf32(s, n, d); },
    [](const char *s, size_t n, char *d) { return simdutf::convert_utf8_to_latin1(s, n, d); },
    [](const char16_t *s, size_t n, char *d) { return simdutf::convert_utf16le_to_utf8(s, n, d); },
    [](const char16_t *s, size_t n, char *d) { return simdutf::convert_utf16be_to_utf8(s, n, d); },
    [](const char16_t *s, size_t n, char32_t *d) { return simdutf::convert_utf16_to_utf32(s, n, d); },
    [](const char16_t *s, size_t n, char *d) { return simdutf::convert_utf16_to_latin1(s, n, d); },
    [](const char32_t *s, size_t n, char *d) { return simdutf::convert_utf32_to_utf8(s, n, d); },
    [](const char32_t *s, size_t n, char16_t *d) { return simdutf::convert_utf32_to_utf16(s, n, d); },
    [](const char *s, size_t n, char *d) { return simdutf::convert_latin1_to_utf8(s, n, d); },
    [](const char *s, size_t n, char16_t *d) { return simdutf::convert_latin1_to_utf16(s, n, d); },
};
