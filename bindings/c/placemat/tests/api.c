// Every function of placemat.h, with right, wrong and empty arguments. iconv(3) is the judge of conversions: that of glibc,
// since musl's does not know all of them.
#ifndef WITHOUT_ICONV
#include <iconv.h>
#endif
#include <placemat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                  \
  do {                                                                    \
    if (!(condition)) {                                                   \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);     \
      exit(1);                                                            \
    }                                                                     \
  } while (0)

static placemat_encoding label(const char *text) { return placemat_encoding_for_label(text, strlen(text)); }

static void validation(void) {
  placemat_error error;
  CHECK(placemat_utf8_validate("caf\xC3\xA9", 5, &error) && error.length == 0 && error.code[0] == 0);
  CHECK(!placemat_utf8_validate("/etc\xC0\xAF" "passwd", 12, &error));
  CHECK(error.offset == 4 && error.length == 1 && !error.is_incomplete && !strcmp(error.code, "overlong-2"));
  CHECK(error.byte_count == 1 && error.bytes[0] == 0xC0);
  CHECK(strstr(error.message, "overlong sequence 0xc0") && strstr(error.message, "offset 4"));
  CHECK(!placemat_utf8_validate("caf\xC3", 4, &error) && error.is_incomplete && error.offset == 3);
  CHECK(!placemat_utf8_validate("\xFF", 1, NULL));
  CHECK(placemat_utf8_validate(NULL, 0, NULL) && placemat_utf8_validate("\xFF", 0, &error));
  const uint16_t units[] = {'a', 0xD83D, 0xDE00, 0xDC00};
  CHECK(placemat_utf16_validate(units, 3, &error) && !placemat_utf16_validate(units, 4, &error));
  CHECK(error.offset == 3 && error.length == 1);
  static uint32_t points[3000];
  for (size_t i = 0; i < 3000; i++) points[i] = i % 5 ? 'a' : i % 2 ? 0x1F600 : 0xE9;
  CHECK(placemat_utf32_validate(points, 3000, &error) && error.length == 0 && placemat_utf32_validate(NULL, 0, NULL));
  const uint32_t ill_formed[] = {0xD800, 0xDFFF, 0x110000, UINT32_MAX};
  for (size_t i = 0; i < 3000; i += 7) {
    uint32_t good = points[i];
    points[i] = ill_formed[i % 4];
    CHECK(!placemat_utf32_validate(points, 3000, &error) && error.offset == i && error.length == 1);
    CHECK(!placemat_utf32_validate(points, i + 1, NULL) && placemat_utf32_validate(points, i, NULL));
    points[i] = good;
  }
  const uint32_t good[] = {0, 0xD7FF, 0xE000, 0xFFFF, 0x10FFFF};
  CHECK(placemat_utf32_validate(good, 5, NULL));
  CHECK(placemat_is_ascii("abc\x7F", 4) && !placemat_is_ascii("ab\x80", 3) && placemat_is_ascii(NULL, 0));
  CHECK(placemat_utf8_count("caf\xC3\xA9", 5) == 4 && placemat_utf8_count(NULL, 0) == 0);
  CHECK(placemat_validate(label("shift_jis"), "\x82\xA0", 2, &error));
  CHECK(!placemat_validate(label("shift_jis"), "\x82", 1, &error) && error.is_incomplete);
  CHECK(!placemat_validate(0, "a", 1, &error) && error.length == 0);
  CHECK(!placemat_validate(UINT32_MAX, "a", 1, NULL));
}

// Every text of up to four characters of one to four bytes, cut to every length: by a walk over the characters.
static void truncates(void) {
  static const char *const characters[] = {"a", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
  for (unsigned number = 0; number < 5 * 5 * 5 * 5; number++) {
    char text[17] = "";
    size_t ends[5] = {0}, count = 0;
    for (unsigned rest = number; rest > 0; rest /= 5) {
      if (rest % 5 == 0) continue;
      strcat(text, characters[rest % 5 - 1]);
      ends[++count] = strlen(text);
    }
    size_t length = ends[count];
    for (size_t max = 0; max <= length + 1; max++) {
      size_t fit = count;
      while (ends[fit] > max) fit--;
      CHECK(placemat_utf8_truncate(text, length, max) == ends[fit]);
      CHECK(placemat_utf8_truncate_code_points(text, length, max) == ends[max < count ? max : count]);
    }
  }
  CHECK(placemat_utf8_truncate(NULL, 0, 3) == 0 && placemat_utf8_truncate_code_points(NULL, 0, 3) == 0);
  CHECK(placemat_utf8_truncate("a", 1, SIZE_MAX) == 1 && placemat_utf8_truncate_code_points("a", 1, SIZE_MAX) == 1);
}

#ifndef WITHOUT_ICONV
// All scalar values, in UTF-32, but for the surrogates.
static uint32_t *all_scalars(size_t *count) {
  uint32_t *all = malloc(0x110000 * sizeof *all);
  *count = 0;
  for (uint32_t c = 0; c < 0x110000; c++)
    if (c < 0xD800 || c > 0xDFFF) all[(*count)++] = c;
  return all;
}

// Compares each form with the result of iconv(3) for the same text.
static char *by_iconv(const char *to, const char *from, const void *text, size_t length, size_t *written) {
  iconv_t handle = iconv_open(to, from);
  CHECK(handle != (iconv_t)-1);
  size_t room = 8 * length + 64, left = room;
  char *out = malloc(room), *end = out;
  char *in = (char *)(size_t)text;
  CHECK(iconv(handle, &in, &length, &end, &left) == 0);
  CHECK(iconv_close(handle) == 0);
  *written = room - left;
  return out;
}

static void forms(void) {
  size_t count, bytes;
  uint32_t *scalars = all_scalars(&count);
  char *utf8 = by_iconv("UTF-8", "UTF-32LE", scalars, 4 * count, &bytes);
  size_t utf8_length = bytes;
  char *utf16 = by_iconv("UTF-16LE", "UTF-32LE", scalars, 4 * count, &bytes);
  size_t utf16_length = bytes / 2;
  CHECK(placemat_utf8_length_from_utf32(scalars, count) == utf8_length);
  CHECK(placemat_utf16_length_from_utf32(scalars, count) == utf16_length);
  CHECK(placemat_utf16_length_from_utf8(utf8, utf8_length) == utf16_length);
  CHECK(placemat_utf32_length_from_utf8(utf8, utf8_length) == count);
  CHECK(placemat_utf8_length_from_utf16((const uint16_t *)(const void *)utf16, utf16_length) == utf8_length);
  CHECK(placemat_utf32_length_from_utf16((const uint16_t *)(const void *)utf16, utf16_length) == count);

  placemat_error error;
  placemat_progress p;
  void *out = malloc(4 * count + 64);
#define CONVERTS(call, want, want_length, unit)                                               \
  p = call;                                                                                   \
  CHECK(p.status == PLACEMAT_DONE && p.written == (want_length) && error.length == 0);        \
  CHECK(memcmp(out, want, (want_length) * (unit)) == 0)
  const uint16_t *units = (const uint16_t *)(const void *)utf16;
  CONVERTS(placemat_utf8_to_utf16(utf8, utf8_length, out, utf16_length, &error), utf16, utf16_length, 2);
  CONVERTS(placemat_utf8_to_utf32(utf8, utf8_length, out, count, &error), scalars, count, 4);
  CONVERTS(placemat_utf16_to_utf8(units, utf16_length, out, utf8_length, &error), utf8, utf8_length, 1);
  CONVERTS(placemat_utf16_to_utf32(units, utf16_length, out, count, &error), scalars, count, 4);
  CONVERTS(placemat_utf32_to_utf8(scalars, count, out, utf8_length, &error), utf8, utf8_length, 1);
  CONVERTS(placemat_utf32_to_utf16(scalars, count, out, utf16_length, &error), utf16, utf16_length, 2);

  char latin1[256];
  for (int i = 0; i < 256; i++) latin1[i] = (char)i;
  char *in_utf8 = by_iconv("UTF-8", "LATIN1", latin1, 256, &bytes);
  CHECK(placemat_utf8_length_from_latin1(latin1, 256) == bytes);
  CHECK(placemat_utf16_length_from_latin1(latin1, 256) == 256);
  CHECK(placemat_utf32_length_from_latin1(latin1, 256) == 256);
  CHECK(placemat_latin1_length_from_utf8(in_utf8, bytes) == 256);
  CHECK(placemat_latin1_length_from_utf16(units, 256) == 256);
  CHECK(placemat_latin1_length_from_utf32(scalars, 256) == 256);
  CONVERTS(placemat_latin1_to_utf8(latin1, 256, out, bytes, &error), in_utf8, bytes, 1);
  CONVERTS(placemat_latin1_to_utf16(latin1, 256, out, 256, &error), utf16, 256, 2);
  CONVERTS(placemat_latin1_to_utf32(latin1, 256, out, 256, &error), scalars, 256, 4);
  CONVERTS(placemat_utf8_to_latin1(in_utf8, bytes, out, 256, &error), latin1, 256, 1);
  CONVERTS(placemat_utf16_to_latin1(units, 256, out, 256, &error), latin1, 256, 1);
  CONVERTS(placemat_utf32_to_latin1(scalars, 256, out, 256, &error), latin1, 256, 1);

  // Too little room, errors, nothing.
  p = placemat_utf8_to_utf16("a\xF0\x9F\x98\x80", 5, out, 2, &error);
  CHECK(p.status == PLACEMAT_NEED_OUTPUT && p.read == 1 && p.written == 1);
  p = placemat_utf8_to_utf16("ab\xFF", 3, out, 9, &error);
  CHECK(p.status == PLACEMAT_ILL_FORMED && p.written == 2 && error.offset == 2);
  p = placemat_utf8_to_latin1("a\xE2\x82\xAC", 4, out, 9, &error);
  CHECK(p.status == PLACEMAT_UNMAPPABLE && error.code_point == 0x20AC && error.offset == 1);
  p = placemat_utf8_to_utf16(NULL, 0, NULL, 0, NULL);
  CHECK(p.status == PLACEMAT_DONE && p.read == 0 && p.written == 0);
  p = placemat_utf8_to_utf16("a", 1, NULL, 0, NULL);
  CHECK(p.status == PLACEMAT_NEED_OUTPUT);
  free(out), free(in_utf8), free(utf16), free(utf8), free(scalars);
}

#endif

static void encodings(void) {
  char name[64];
  CHECK(placemat_encoding_count() > 300);
  for (placemat_encoding e = 1; e <= placemat_encoding_count(); e++) {
    size_t length = placemat_encoding_name(e, name, sizeof name);
    CHECK(length > 0 && length < sizeof name && strlen(name) == length && label(name) == e);
    CHECK(placemat_encoding_max_bytes(e) > 0);
    CHECK(placemat_encoding_name(e, name, 2) == length && strlen(name) == 1);
    CHECK(placemat_encoding_name(e, NULL, 0) == length);
  }
  CHECK(placemat_encoding_name(0, name, sizeof name) == 0 && name[0] == 0);
  CHECK(placemat_encoding_name(placemat_encoding_count() + 1, name, sizeof name) == 0);
  CHECK(placemat_encoding_max_bytes(0) == 0);
  CHECK(label("en_AU.UTF-8") == label("utf-8") && label("text/html;charset=KOI8-R") == label("koi8-r") && label("en_AU.x") == 0);
  char about[256];
  CHECK(placemat_label_about("utf-9", 5, about, sizeof about) == strlen(about) && strstr(about, "RFC 4042"));
  CHECK(placemat_label_about("utf-9", 5, about, 3) > 3 && strlen(about) == 2);
  CHECK(placemat_label_about("utf-8", 5, about, sizeof about) == 0 && about[0] == 0);
  CHECK(placemat_label_about("klingon", 7, NULL, 0) == 0 && placemat_label_about("\xFF", 1, NULL, 0) == 0);
  CHECK(label("utf-9") == 0 && label("\xFF") == 0 && placemat_encoding_for_label(NULL, 0) == 0);
  // A page of EBCDIC with the other byte of LF has a number after all others.
  placemat_encoding unix_page = label("ibm500,swaplfnl");
  char page_name[64];
  CHECK(unix_page > placemat_encoding_count());
  CHECK(placemat_encoding_name(unix_page, page_name, sizeof page_name) == 15 && !strcmp(page_name, "IBM500,swaplfnl"));
  CHECK(label("ibm1047,swaplfnl") == label("IBM1047-S390"));
  CHECK(placemat_encoding_name(placemat_encoding_count() + label("IBM1047"), page_name, sizeof page_name) == 0);
  CHECK(placemat_encoding_name(2 * placemat_encoding_count() + 1, page_name, sizeof page_name) == 0);
  CHECK(label("utf-8//TRANSLIT") == 0 && label("CSISOLATIN2") == label("latin2"));
  CHECK(placemat_encoding_for_web_label("latin1", 6) == label("windows-1252"));
  CHECK(placemat_encoding_for_web_label("utf-32", 6) == 0);
  CHECK(placemat_encoding_for_locale("ru_RU.KOI8-R", 12) == label("koi8-r"));
  CHECK(placemat_encoding_for_locale("ru_RU", 5) == 0);
  size_t length = 9;
  CHECK(placemat_sniff("\xEF\xBB\xBF" "a", 4, &length) != 0 && length == 3);
  CHECK(placemat_sniff("abc", 3, &length) == 0 && length == 0 && placemat_sniff(NULL, 0, NULL) == 0);
  CHECK(strlen(placemat_version()) >= 5 && strlen(placemat_isa()) >= 4);
}

#ifndef WITHOUT_ICONV
// Converts Basic Latin and Cyrillic between each pair of some encodings, at once and byte by byte, and compares with iconv(3).
static void pairs(void) {
  static const char *const names[] = {"UTF-8", "UTF-16LE", "UTF-32BE", "KOI8-R", "CP866", "ISO-8859-5", "EUC-JP", "GB18030"};
  enum { NAMES = sizeof names / sizeof *names };
  uint32_t scalars[200];
  size_t count = 0;
  for (uint32_t c = 0x20; c < 0x7F; c++) scalars[count++] = c;
  for (uint32_t c = 0x410; c < 0x450; c++) scalars[count++] = c;
  for (int i = 0; i < NAMES; i++) {
    size_t length;
    char *text = by_iconv(names[i], "UTF-32LE", scalars, 4 * count, &length);
    for (int j = 0; j < NAMES; j++) {
      size_t want_length;
      char *want = by_iconv(names[j], names[i], text, length, &want_length);
      placemat_encoding from = label(names[i]), to = label(names[j]);
      CHECK(placemat_converted_length(from, to, NULL, text, length) == want_length);
      char *out = malloc(want_length + 1);
      placemat_error error;
      placemat_progress p = placemat_convert(from, to, NULL, text, length, out, want_length, &error);
      CHECK(p.status == PLACEMAT_DONE && p.read == length && p.written == want_length);
      CHECK(memcmp(out, want, want_length) == 0);
      p = placemat_convert(from, to, NULL, text, length, out, want_length - 1, NULL);
      CHECK(p.status == PLACEMAT_NEED_OUTPUT && p.written < want_length);

      placemat_status status;
      placemat_transcoder *t = placemat_transcoder_new(from, to, NULL, &status);
      CHECK(t && status == PLACEMAT_DONE);
      for (int round = 0; round < 2; round++) {
        size_t written = 0;
        for (size_t at = 0; at <= length; at++) {
          bool last = at == length;
          p = placemat_transcoder_convert(t, text + at, !last, out + written, want_length - written, last, &error);
          written += p.written;
          CHECK(p.status == (last ? PLACEMAT_DONE : PLACEMAT_NEED_INPUT));
        }
        CHECK(written == want_length && memcmp(out, want, want_length) == 0);
        placemat_transcoder_reset(t);
      }
      CHECK(placemat_transcoder_min_output(t) >= 1);
      placemat_transcoder_free(t);
      free(out), free(want);
    }
    free(text);
  }
}

#endif

static bool call(void *data, const placemat_error *error, char *text, size_t *length) {
  int *mode = data;
  CHECK(error->length > 0 || error->code_point > 0);
  CHECK(*length == 1024);
  switch (*mode) {
    case 0: return false;
    case 1: memcpy(text, "<>", *length = 2); return true;
    case 2: *length = 0; return true;
    case 3: memset(text, 'x', 1024); return true;
    case 4: memcpy(text, "\xFF", *length = 1); return true;
    default: *length = 5000; return true;
  }
}

static void policies(void) {
  placemat_encoding utf8 = label("utf-8"), ascii = label("us-ascii");
  placemat_policy policy;
  char out[4096];
  placemat_error error;
  static const struct {
    uint32_t on_error, on_unmappable;
    placemat_status status;
    const char *want;
  } cases[] = {
      {PLACEMAT_STOP, PLACEMAT_STOP, PLACEMAT_ILL_FORMED, "a"},
      {PLACEMAT_SKIP, PLACEMAT_STOP, PLACEMAT_UNMAPPABLE, "ab"},
      {PLACEMAT_SKIP, PLACEMAT_SKIP, PLACEMAT_DONE, "abc"},
      {PLACEMAT_REPLACE, PLACEMAT_REPLACE, PLACEMAT_DONE, "a?b?c"},
      {PLACEMAT_REPLACE_WITH, PLACEMAT_REPLACE_WITH, PLACEMAT_DONE, "a[1]b[22]c"},
      {PLACEMAT_SKIP, PLACEMAT_XML_REFERENCE, PLACEMAT_DONE, "ab&#8364;c"},
      {PLACEMAT_SKIP, PLACEMAT_TRANSLITERATE, PLACEMAT_DONE, "abEURc"},
      {PLACEMAT_HEX_ESCAPE, PLACEMAT_SKIP, PLACEMAT_DONE, "a\\xffbc"},
      {PLACEMAT_CALL, PLACEMAT_CALL, PLACEMAT_DONE, "a<>b<>c"},
      {PLACEMAT_OPTU, PLACEMAT_SKIP, PLACEMAT_DONE, "abc"},
      {PLACEMAT_SKIP, PLACEMAT_HEX_ESCAPE, PLACEMAT_DONE, "ab\\u20acc"},
      {PLACEMAT_SURROGATE_ESCAPE, PLACEMAT_SURROGATE_ESCAPE, PLACEMAT_UNMAPPABLE, "a\xFF" "b"},
      {PLACEMAT_SURROGATE_ESCAPE_UNCHECKED, PLACEMAT_STOP, PLACEMAT_BAD_ARGUMENT, ""},
      {PLACEMAT_STOP, 16, PLACEMAT_BAD_ARGUMENT, ""},
      {PLACEMAT_UNKNOWN_POLICY, PLACEMAT_STOP, PLACEMAT_BAD_ARGUMENT, ""},
      {PLACEMAT_STOP, PLACEMAT_AS_LATIN1, PLACEMAT_BAD_ARGUMENT, ""},
      {PLACEMAT_XML_REFERENCE, PLACEMAT_STOP, PLACEMAT_BAD_ARGUMENT, ""},
  };
  int mode = 1;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    memset(&policy, 0, sizeof policy);
    policy.on_error = cases[i].on_error;
    policy.on_unmappable = cases[i].on_unmappable;
    policy.error_text = "[1]", policy.error_text_length = 3;
    policy.unmappable_text = "[22]", policy.unmappable_text_length = 4;
    policy.callback = call, policy.data = &mode;
    placemat_progress p = placemat_convert(utf8, ascii, &policy, "a\xFF" "b\xE2\x82\xAC" "c", 7, out, sizeof out, &error);
    CHECK(p.status == cases[i].status && p.written == strlen(cases[i].want));
    CHECK(memcmp(out, cases[i].want, p.written) == 0);
  }
  CHECK(placemat_policy_for_name("Strict", 6) == PLACEMAT_STOP && placemat_policy_for_name("optu16", 6) == PLACEMAT_OPTU16);
  CHECK(placemat_policy_for_name("xmlcharrefreplace!", 17) == PLACEMAT_XML_REFERENCE);
  CHECK(placemat_policy_for_name("replac", 6) == PLACEMAT_UNKNOWN_POLICY);
  CHECK(placemat_policy_for_name(NULL, 0) == PLACEMAT_UNKNOWN_POLICY);
  // Any bytes survive the way into UTF-8 and back.
  static const uint32_t there_and_back[][2] = {{PLACEMAT_SURROGATE_ESCAPE, PLACEMAT_SURROGATE_ESCAPE},
                                               {PLACEMAT_SURROGATE_ESCAPE, PLACEMAT_SURROGATE_ESCAPE_UNCHECKED},
                                               {PLACEMAT_OPTU, PLACEMAT_OPTU},
                                               {PLACEMAT_OPTU, PLACEMAT_OPTU_UNCHECKED}};
  for (int i = 0; i < 4; i++) {
    static const char bytes[] = "caf\xC3, \xEE\xBE\x80 \xFF";
    memset(&policy, 0, sizeof policy);
    policy.on_error = there_and_back[i][0], policy.on_unmappable = there_and_back[i][1];
    placemat_progress p = placemat_convert(utf8, utf8, &policy, bytes, sizeof bytes - 1, out, sizeof out, &error);
    CHECK(p.status == PLACEMAT_DONE && p.written == sizeof bytes - 1 && memcmp(out, bytes, p.written) == 0);
  }
  // Functions that stop, write nothing, fill the buffer, write no UTF-8, or claim more than there is.
  static const placemat_status answers[] = {PLACEMAT_ILL_FORMED, PLACEMAT_DONE, PLACEMAT_DONE,
                                            PLACEMAT_DONE, PLACEMAT_ILL_FORMED, PLACEMAT_ILL_FORMED};
  static const size_t lengths[] = {1, 4, 2, 1026, 1, 1};
  memset(&policy, 0, sizeof policy);
  policy.on_error = PLACEMAT_CALL, policy.callback = call, policy.data = &mode;
  for (mode = 0; mode < 6; mode++) {
    placemat_progress p = placemat_convert(utf8, utf8, &policy, "a\xFF" "b", 3, out, sizeof out, &error);
    CHECK(p.status == answers[mode] && p.written == lengths[mode]);
  }
  policy.callback = NULL;
  CHECK(placemat_convert(utf8, utf8, &policy, "a", 1, out, 9, NULL).status == PLACEMAT_BAD_ARGUMENT);
  static char longest[1025];
  memset(longest, 'x', sizeof longest);
  policy.on_error = PLACEMAT_REPLACE_WITH, policy.error_text = longest;
  for (policy.error_text_length = 1024; policy.error_text_length < 1026; policy.error_text_length++) {
    placemat_progress p = placemat_convert(utf8, utf8, &policy, "\xFF", 1, out, sizeof out, NULL);
    CHECK(p.status == (policy.error_text_length == 1024 ? PLACEMAT_DONE : PLACEMAT_BAD_ARGUMENT));
  }
  policy.error_text = "\xFF", policy.error_text_length = 1;
  placemat_status status;
  CHECK(!placemat_transcoder_new(utf8, utf8, &policy, &status) && status == PLACEMAT_BAD_ARGUMENT);
  // One error of several bytes.
  memset(&policy, 0, sizeof policy);
  policy.on_error = PLACEMAT_REPLACE;
  static const size_t spans[] = {3 * 2, 3 * 3, 3 * 2, 3};
  for (policy.span = 0; policy.span < 4; policy.span++) {
    placemat_progress p = placemat_convert(utf8, utf8, &policy, "\xE1\xA0\xC0", 3, out, sizeof out, NULL);
    CHECK(p.status == PLACEMAT_DONE && p.written == spans[policy.span]);
  }
  CHECK(placemat_convert(utf8, utf8, &policy, "a", 1, out, 9, NULL).status == PLACEMAT_BAD_ARGUMENT);
}

struct calls {
  int errors, unmappable;
  int stops_at;  // the number of the call that stops, from 1; 0 for none
};

static bool counting(void *data, const placemat_error *error, char *text, size_t *length) {
  struct calls *calls = data;
  *(error->code_point ? &calls->unmappable : &calls->errors) += 1;
  if (calls->errors + calls->unmappable == calls->stops_at) return false;
  // Longer than the room that the loops below offer at first, so that there are second attempts to write it.
  *length = (size_t)(8 + (calls->errors + calls->unmappable) % 10);
  memset(text, 'x', *length);
  return true;
}

// A conversion asks once for each error, whatever the cuts of the text and the room; another conversion asks again.
static void calls(void) {
  static const char text[] = "a\xFF" "b\xE2\x82\xACz\xE2\x82!\xC0\xAF\xE2\x82\xAC" "c\xE1\xA0";
  enum { LENGTH = sizeof text - 1, ERRORS = 5, UNMAPPABLE = 2 };
  placemat_encoding utf8 = label("utf-8"), ascii = label("us-ascii");
  struct calls seen = {0, 0, 0};
  placemat_policy policy = {0};
  policy.on_error = policy.on_unmappable = PLACEMAT_CALL;
  policy.callback = counting, policy.data = &seen;
  char want[256], out[256];
  placemat_progress p = placemat_convert(utf8, ascii, &policy, text, LENGTH, want, sizeof want, NULL);
  CHECK(p.status == PLACEMAT_DONE && seen.errors == ERRORS && seen.unmappable == UNMAPPABLE);
  size_t want_length = p.written;
  CHECK(placemat_converted_length(utf8, ascii, &policy, text, LENGTH) > 0);
  CHECK(seen.errors == 2 * ERRORS && seen.unmappable == 2 * UNMAPPABLE);

  // Every cut of the text in two, and every room; after `NEED_OUTPUT` without a byte there is one more.
  size_t retries = 0;
  for (size_t cut = 0; cut <= LENGTH; cut++) {
    for (size_t least = 0; least < 24; least++) {
      seen = (struct calls){0, 0, 0};
      placemat_transcoder *t = placemat_transcoder_new(utf8, ascii, &policy, NULL);
      size_t read = 0, written = 0, room = least;
      for (bool more = true; more;) {
        size_t end = read < cut ? cut : LENGTH;
        p = placemat_transcoder_convert(t, text + read, end - read, out + written, room, end == LENGTH, NULL);
        CHECK(p.status == PLACEMAT_DONE || p.status == PLACEMAT_NEED_INPUT || p.status == PLACEMAT_NEED_OUTPUT);
        read += p.read, written += p.written;
        bool stuck = p.status == PLACEMAT_NEED_OUTPUT && p.written == 0;
        retries += stuck;
        room = stuck ? room + 1 : least;
        more = p.status != PLACEMAT_DONE;
      }
      CHECK(seen.errors == ERRORS && seen.unmappable == UNMAPPABLE);
      CHECK(read == LENGTH && written == want_length && memcmp(out, want, want_length) == 0);
      placemat_transcoder_free(t);
    }
  }
  CHECK(retries > 1000);

  // Going on after a stop does not ask about that error again; a reset does.
  seen = (struct calls){0, 0, 1};
  placemat_transcoder *t = placemat_transcoder_new(utf8, ascii, &policy, NULL);
  p = placemat_transcoder_convert(t, "a\xFF" "b", 3, out, sizeof out, true, NULL);
  CHECK(p.status == PLACEMAT_ILL_FORMED && p.read == 2 && seen.errors == 1);
  p = placemat_transcoder_convert(t, "b", 1, out, sizeof out, true, NULL);
  CHECK(p.status == PLACEMAT_DONE && p.written == 1 && seen.errors == 1);
  placemat_transcoder_reset(t);
  p = placemat_transcoder_convert(t, "a\xFF" "b", 3, out, sizeof out, true, NULL);
  CHECK(p.status == PLACEMAT_DONE && seen.errors == 2);
  placemat_transcoder_free(t);
}

// Of every beginning of a text that stops at an error or at a character that the target lacks, or of all of it.
static void the_length_that_is_asked_for_is_always_room_enough(void) {
  static const char text[] = "a\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80 \xC3\xA9\xFF\xE2\x82";
  static const char *const targets[] = {"us-ascii", "latin1", "windows-1252", "utf-16", "iso-2022-jp", "utf-7", "hz-gb-2312"};
  static const uint32_t on_error[] = {PLACEMAT_STOP, PLACEMAT_REPLACE, PLACEMAT_SKIP};
  for (size_t to = 0; to < sizeof targets / sizeof *targets; to++) {
    for (size_t length = 0; length < sizeof text; length++) {
      for (uint32_t kind = 0; kind < 9; kind++) {
        placemat_policy policy = {0};
        policy.on_error = on_error[kind % 3], policy.on_unmappable = on_error[kind / 3];
        char out[100], exact[100];
        placemat_error error, other;
        placemat_progress p = placemat_convert(label("utf-8"), label(targets[to]), &policy, text, length, out, sizeof out, &error);
        size_t room = placemat_converted_length(label("utf-8"), label(targets[to]), &policy, text, length);
        CHECK(room == p.written && p.status != PLACEMAT_NEED_OUTPUT);
        placemat_progress q = placemat_convert(label("utf-8"), label(targets[to]), &policy, text, length, exact, room, &other);
        CHECK(q.status == p.status && q.read == p.read && q.written == room && memcmp(out, exact, room) == 0);
        CHECK(memcmp(&error, &other, sizeof error) == 0);
        if (room == 0) continue;
        q = placemat_convert(label("utf-8"), label(targets[to]), &policy, text, length, exact, room - 1, &other);
        CHECK(q.status == PLACEMAT_NEED_OUTPUT && q.written < room && memcmp(out, exact, q.written) == 0 && other.code[0] == 0);
      }
    }
  }
}

static void handles(void) {
  char out[64];
  placemat_error error;
  placemat_status status;
  CHECK(!placemat_transcoder_new(0, label("utf-8"), NULL, &status) && status == PLACEMAT_UNKNOWN_ENCODING);
  CHECK(!placemat_transcoder_new(label("utf-8"), 9999, NULL, NULL));
  CHECK(placemat_convert(0, 0, NULL, "a", 1, out, 9, &error).status == PLACEMAT_UNKNOWN_ENCODING);
  CHECK(placemat_transcoder_convert(NULL, "a", 1, out, 9, true, &error).status == PLACEMAT_BAD_ARGUMENT);
  CHECK(placemat_transcoder_close(NULL, out, 9).status == PLACEMAT_BAD_ARGUMENT);
  CHECK(placemat_transcoder_min_output(NULL) == 0);
  placemat_transcoder_reset(NULL);
  placemat_transcoder_free(NULL);

  // A shift back closes the text; offsets count from its start.
  placemat_transcoder *t = placemat_transcoder_new(label("utf-8"), label("iso-2022-jp"), NULL, NULL);
  placemat_progress p = placemat_transcoder_convert(t, "\xE3\x81\x82\xE3", 4, out, sizeof out, false, &error);
  CHECK(p.status == PLACEMAT_NEED_INPUT && p.read == 4 && p.written == 5 && !memcmp(out, "\x1B$B$\"", 5));
  p = placemat_transcoder_convert(t, "a", 1, out, sizeof out, false, &error);
  CHECK(p.status == PLACEMAT_ILL_FORMED && error.offset == 3 && error.length == 1);
  CHECK(placemat_transcoder_close(t, out, 2).status == PLACEMAT_NEED_OUTPUT);
  p = placemat_transcoder_close(t, out, sizeof out);
  CHECK(p.status == PLACEMAT_DONE && p.written == 3 && !memcmp(out, "\x1B(B", 3));
  placemat_transcoder_free(t);
}

// Sentences in encodings, by their bytes.
static void detection(void) {
  static const char russian[] =
      "\xD1\xE5\xE3\xEE\xE4\xED\xFF \xE2 \xEC\xE5\xED\xFE: \xE1\xEE\xF0\xF9, \xEF\xE5\xEB\xFC\xEC\xE5\xED\xE8.\n";
  static const char utf8[] = "na\xC3\xAFve caf\xC3\xA9s\n";
  const size_t length = sizeof russian - 1;
  placemat_detection found, other;
  CHECK(placemat_detect(russian, length, &found) == label("windows-1251") && found.encoding == label("windows-1251"));
  CHECK(found.verdict == PLACEMAT_TEXT && found.confidence > 0.9f && found.confidence <= 1 && !found.is_prefix);
  CHECK(!strcmp(found.language, "Russian") && found.first_non_ascii == 0 && found.length == length);
  CHECK(found.candidate_count > 0 && found.candidates[0].encoding == found.encoding && found.candidates[0].is_same_text);
  CHECK(placemat_detect(russian, length, NULL) == found.encoding);

  // Piece by piece, twice.
  placemat_detector *detector = placemat_detector_new();
  for (int again = 0; again < 2; again++) {
    for (size_t i = 0; i < length; i++) placemat_detector_feed(detector, russian + i, 1);
    CHECK(placemat_detector_finish(detector, false, &other) == found.encoding);
    CHECK(other.confidence == found.confidence && other.candidate_count == found.candidate_count);
  }
  placemat_detector_feed(detector, "id;name\n", 8);
  CHECK(placemat_detector_finish(detector, true, &other) == label("utf-8") && other.is_prefix && other.length == 8);
  placemat_detector_free(detector);

  CHECK(placemat_detect(utf8, sizeof utf8 - 1, &found) == label("utf-8") && found.first_non_ascii == 2);
  CHECK(placemat_detect("\xEF\xBB\xBFtext", 7, &found) == label("utf-8") && found.signature_length == 3);
  CHECK(placemat_detect("@charset \"koi8-r\"; /* \xC3\xA9 */", 27, &found) == label("utf-8"));
  CHECK(found.declared == label("koi8-r") && found.contradicts_declaration);
  CHECK(placemat_detect(NULL, 0, &found) == 0 && found.verdict == PLACEMAT_EMPTY && found.first_non_ascii == UINT64_MAX);
  CHECK(placemat_detect("\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\1\0\0\0\1\0", 24, &found) == 0);
  CHECK(found.verdict == PLACEMAT_BINARY);
  CHECK(placemat_detector_finish(NULL, false, &found) == 0 && found.verdict == PLACEMAT_EMPTY);
  placemat_detector_feed(NULL, "a", 1);
  placemat_detector_free(NULL);
}

struct regions {
  placemat_region all[9];
  size_t count, most;
};

static bool add_region(void *data, const placemat_region *region) {
  struct regions *regions = data;
  regions->all[regions->count++] = *region;
  return regions->count < regions->most;
}

// A line of windows-1251 between two of UTF-8.
static void mixed(void) {
  static const char text[] =
      "\xD0\xAD\xD1\x82\xD0\xBE \xD0\xBF\xD0\xB5\xD1\x80\xD0\xB2\xD0\xB0\xD1\x8F \xD1\x81\xD1\x82\xD1\x80\xD0\xBE\xD0\xBA\xD0\xB0\n"
      "\xDD\xF2\xE0 \xF1\xF2\xF0\xEE\xEA\xE0 \xE2 \xE4\xF0\xF3\xE3\xEE\xE9 \xEA\xEE\xE4\xE8\xF0\xEE\xE2\xEA\xE5\n"
      "\xD0\x98 \xD0\xB2\xD1\x82\xD0\xBE\xD1\x80\xD0\xB0\xD1\x8F\n";
  struct regions regions = {{{0}}, 0, 9};
  CHECK(placemat_regions(text, sizeof text - 1, add_region, &regions) == PLACEMAT_DONE && regions.count == 3);
  uint64_t at = 0;
  for (size_t i = 0; i < 3; i++) {
    const placemat_region *region = &regions.all[i];
    CHECK(region->offset == at && region->line == i + 1 && region->lines == 1);
    CHECK(region->encoding == label(i == 1 ? "windows-1251" : "utf-8") && region->confidence > 0.5f);
    at += region->length;
  }
  CHECK(at == sizeof text - 1);
  regions = (struct regions){{{0}}, 0, 1};
  CHECK(placemat_regions(text, sizeof text - 1, add_region, &regions) == PLACEMAT_DONE && regions.count == 1);
  CHECK(placemat_regions(text, 9, NULL, NULL) == PLACEMAT_BAD_ARGUMENT);
  placemat_detection found;
  placemat_detect(text, sizeof text - 1, &found);
  CHECK(found.mixed_count == 2 && found.mixed[0] == found.encoding);
}

// The result of a repair, and copies of its changes.
struct repaired {
  char text[4096], texts[4096];
  size_t length, used, count;
  placemat_change changes[64];
};

static void add_text(void *data, const char *text, size_t length) {
  struct repaired *repaired = data;
  CHECK(length > 0 && repaired->length + length <= sizeof repaired->text);
  memcpy(repaired->text + repaired->length, text, length);
  repaired->length += length;
}

static void add_change(void *data, const placemat_change *change) {
  struct repaired *repaired = data;
  CHECK(repaired->count < 64 && repaired->used + change->before_length + change->after_length <= sizeof repaired->texts);
  placemat_change *copy = &repaired->changes[repaired->count++];
  *copy = *change;
  copy->before = memcpy(repaired->texts + repaired->used, change->before, change->before_length);
  repaired->used += change->before_length;
  copy->after = memcpy(repaired->texts + repaired->used, change->after, change->after_length);
  repaired->used += change->after_length;
}

static void restores(const char *source, size_t length, const char *want, size_t count, placemat_repair_settings settings) {
  static struct repaired whole, pieces, undone;
  whole.length = whole.used = whole.count = pieces.length = pieces.used = pieces.count = undone.length = 0;
  settings.write = add_text, settings.changed = add_change, settings.data = &whole;
  placemat_encoding encoding;
  CHECK(placemat_repair(source, length, &settings, &encoding) == PLACEMAT_DONE);
  CHECK(whole.length == strlen(want) && memcmp(whole.text, want, whole.length) == 0 && whole.count == count);
  CHECK(placemat_utf8_validate(whole.text, whole.length, NULL));

  settings.data = &pieces;
  placemat_repairer *repairer = placemat_repairer_new(&settings);
  for (size_t i = 0; i < length; i++) placemat_repairer_learn(repairer, source + i, 1);
  for (size_t i = 0; i < length; i++) placemat_repairer_push(repairer, source + i, 1);
  CHECK(placemat_repairer_finish(repairer) == encoding);
  placemat_repairer_free(repairer);
  CHECK(pieces.length == whole.length && pieces.count == count && memcmp(pieces.text, want, whole.length) == 0);

  uint64_t offset = 0;
  CHECK(placemat_undo(whole.text, whole.length, encoding, whole.changes, count, add_text, &undone, &offset) == PLACEMAT_DONE);
  CHECK(undone.length == length && memcmp(undone.text, source, length) == 0);
  if (count == 0) return;
  // Another text is refused, and nothing is written.
  undone.length = 0;
  size_t changed = (size_t)whole.changes[0].repaired_offset;
  if (whole.changes[0].after_length == 0) return;
  whole.text[changed] ^= 1;
  CHECK(placemat_undo(whole.text, whole.length, encoding, whole.changes, count, add_text, &undone, &offset) ==
        PLACEMAT_ILL_FORMED);
  CHECK(undone.length == 0 && offset == changed);
}

static void repairs(void) {
  const placemat_repair_settings usual = {0};
  placemat_repair_settings settings = usual;
  restores("caf\xC3\x83\xC2\xA9", 7, "caf\xC3\xA9", 1, usual);
  restores("caf\xC3\xA9s, d\xE9j\xE0 vu", 15, "caf\xC3\xA9s, d\xC3\xA9j\xC3\xA0 vu", 2, usual);
  restores("na\xC3\xAFve", 6, "na\xC3\xAFve", 0, usual);
  restores("\xFF\xFEh\0i\0", 6, "hi", 1, usual);
  restores("", 0, "", 0, usual);
  // An overlong slash never becomes a slash.
  restores("..\xC0\xAF", 4, "..\xEF\xBF\xBD\xEF\xBF\xBD", 1, usual);
  settings.lost = PLACEMAT_HEX_ESCAPE;
  restores("..\xC0\xAF", 4, "..\\xc0\\xaf", 1, settings);
  settings = usual, settings.fallback = label("koi8-r");
  restores("\xD0\x94\xD0\xB0; \xE4\xC1", 8, "\xD0\x94\xD0\xB0; \xD0\x94\xD0\xB0", 1, settings);
  settings = usual, settings.steps = PLACEMAT_STEP_BYTES | PLACEMAT_STEP_LOST;
  restores("caf\xC3\x83\xC2\xA9", 7, "caf\xC3\x83\xC2\xA9", 0, settings);
  settings = usual, settings.min_confidence = 0.9999f;
  restores("caf\xC3\x83\xC2\xA9", 7, "caf\xC3\x83\xC2\xA9", 0, settings);

  static struct repaired repaired;
  settings = usual, settings.data = &repaired, settings.changed = add_change;
  CHECK(placemat_repair("caf\xC3\x83\xC2\xA9", 7, &settings, NULL) == PLACEMAT_DONE && repaired.count == 1);
  const placemat_change *change = repaired.changes;
  CHECK(change->step == PLACEMAT_STEP_MOJIBAKE && change->offset == 3 && change->repaired_offset == 3 && !change->is_lossy);
  CHECK(change->before_length == 4 && change->after_length == 2 && change->confidence > 0.5f && change->confidence <= 1);
  CHECK(change->encoding_count == 1 && change->encodings[0] == label("windows-1252"));

  settings = usual, settings.steps = 128;
  CHECK(placemat_repair("a", 1, &settings, NULL) == PLACEMAT_BAD_ARGUMENT && !placemat_repairer_new(&settings));
  settings = usual, settings.lost = PLACEMAT_SKIP;
  CHECK(placemat_repair("a", 1, &settings, NULL) == PLACEMAT_BAD_ARGUMENT);
  settings = usual, settings.fallback = 9999;
  CHECK(placemat_repair("a", 1, &settings, NULL) == PLACEMAT_BAD_ARGUMENT);
  settings = usual, settings.min_confidence = 2;
  CHECK(placemat_repair("a", 1, &settings, NULL) == PLACEMAT_BAD_ARGUMENT);
  CHECK(placemat_repair("a", 1, NULL, NULL) == PLACEMAT_DONE);
  CHECK(placemat_undo("a", 1, 0, NULL, 0, NULL, NULL, NULL) == PLACEMAT_UNKNOWN_ENCODING);
  CHECK(placemat_undo("a", 1, label("utf-8"), NULL, 0, NULL, NULL, NULL) == PLACEMAT_DONE);
  placemat_change wrong = {0};
  CHECK(placemat_undo("a", 1, label("utf-8"), &wrong, 1, NULL, NULL, NULL) == PLACEMAT_BAD_ARGUMENT);
  CHECK(placemat_repairer_finish(NULL) == 0);
  placemat_repairer_push(NULL, "a", 1);
  placemat_repairer_learn(NULL, "a", 1);
  placemat_repairer_free(NULL);
}

static void bytes_are(const placemat_document *document, const char *want, size_t length) {
  char bytes[256];
  CHECK(placemat_document_length(document) == length && placemat_document_bytes(document, bytes, sizeof bytes) == PLACEMAT_DONE);
  CHECK(!memcmp(bytes, want, length));
  if (length > 0) CHECK(placemat_document_bytes(document, bytes, length - 1) == PLACEMAT_NEED_OUTPUT);
}

static void documents(void) {
  placemat_error error;
  placemat_replaced replaced;
  placemat_document *document = placemat_document_open("5 \xA3, caf\xE9\r\n", 11, label("iso-8859-1"));
  CHECK(document && placemat_document_encoding(document) == label("iso-8859-1") && placemat_document_text_length(document) == 13);
  CHECK(placemat_document_utf16_length(document) == 11 && placemat_document_line_count(document) == 2);
  CHECK(placemat_document_signature_length(document) == 0 && placemat_document_stand_in(document, 0xFF) == 0);
  char text[16];
  CHECK(placemat_document_text(document, 2, 4, text, sizeof text) == PLACEMAT_DONE && !memcmp(text, "\xC2\xA3", 2));
  CHECK(placemat_document_text(document, 3, 4, text, sizeof text) == PLACEMAT_BAD_ARGUMENT);
  CHECK(placemat_document_text(document, 4, 2, text, sizeof text) == PLACEMAT_BAD_ARGUMENT);
  CHECK(placemat_document_text(document, 0, 14, text, sizeof text) == PLACEMAT_BAD_ARGUMENT);
  CHECK(placemat_document_text(document, 0, 13, text, 12) == PLACEMAT_NEED_OUTPUT);
  CHECK(placemat_document_text(document, 5, 5, NULL, 0) == PLACEMAT_DONE);
  CHECK(placemat_document_replace(document, 2, 4, "\xC2\xA5 and", 6, &replaced, &error) == PLACEMAT_DONE);
  CHECK(replaced.start == 2 && replaced.end == 3 && replaced.length == 5 && error.code[0] == 0);
  bytes_are(document, "5 \xA5 and, caf\xE9\r\n", 15);
  // Offsets in all units, and beyond the end.
  CHECK(placemat_document_text_to_byte(document, 3) == 2 && placemat_document_text_of_byte(document, 3) == 4);
  CHECK(placemat_document_utf16_of_text(document, 4) == 3 && placemat_document_text_of_utf16(document, 3) == 4);
  CHECK(placemat_document_text_to_byte(document, 99) == SIZE_MAX && placemat_document_text_of_byte(document, SIZE_MAX) == SIZE_MAX);
  CHECK(placemat_document_utf16_of_text(document, 99) == SIZE_MAX && placemat_document_text_of_utf16(document, 99) == SIZE_MAX);
  placemat_position position = {7, 7};
  CHECK(placemat_document_position_of_text(document, 17, &position) && position.line == 1 && position.column == 0);
  CHECK(placemat_document_text_of_position(document, position) == 17);
  CHECK(!placemat_document_position_of_text(document, 18, &position) && placemat_document_position_of_text(document, 0, NULL));
  position.line = SIZE_MAX;
  CHECK(placemat_document_text_of_position(document, position) == SIZE_MAX);
  // What is refused changes nothing, and says why.
  CHECK(placemat_document_replace(document, 0, 1, "6 \xE2\x82\xAC", 5, &replaced, &error) == PLACEMAT_UNMAPPABLE);
  CHECK(error.code_point == 0x20AC && error.offset == 2 && strstr(error.message, "U+20AC") && replaced.length == 0);
  CHECK(placemat_document_replace(document, 0, 1, "\xE9", 1, NULL, &error) == PLACEMAT_ILL_FORMED && error.offset == 0);
  CHECK(placemat_document_replace(document, 3, 4, "", 0, NULL, &error) == PLACEMAT_BAD_ARGUMENT && !strcmp(error.code, "range"));
  CHECK(strstr(error.message, "whole code points"));
  CHECK(placemat_document_replace(document, 0, 1, "\xE2\x82\xAC", 3, NULL, NULL) == PLACEMAT_UNMAPPABLE);
  bytes_are(document, "5 \xA5 and, caf\xE9\r\n", 15);
  // All changes, or none.
  placemat_replacement changes[] = {{0, 1, "7", 1}, {2, 4, NULL, 0}, {9, 9, "\xC3\xA9", 2}};
  size_t failed = 9;
  CHECK(placemat_document_replace_all(document, changes, 3, &failed, &error) == PLACEMAT_DONE && failed == 3);
  bytes_are(document, "7  and,\xE9 caf\xE9\r\n", 15);
  changes[2].text = "\xE2\x82\xAC", changes[2].length = 3;
  CHECK(placemat_document_replace_all(document, changes, 3, &failed, &error) == PLACEMAT_UNMAPPABLE && failed == 2);
  changes[1].text = "\xFF", changes[1].length = 1;
  CHECK(placemat_document_replace_all(document, changes, 3, &failed, &error) == PLACEMAT_ILL_FORMED && failed == 1);
  changes[1].text = "", changes[1].length = 0, changes[2].start = 3;
  CHECK(placemat_document_replace_all(document, changes, 3, NULL, NULL) == PLACEMAT_BAD_ARGUMENT);
  CHECK(placemat_document_replace_all(document, NULL, 0, &failed, &error) == PLACEMAT_DONE && failed == 0);
  bytes_are(document, "7  and,\xE9 caf\xE9\r\n", 15);
  placemat_document_free(document);

  // A lead byte without a second one must not meet one.
  document = placemat_document_open("\x83 \x93\xFA", 4, label("shift_jis"));
  CHECK(placemat_document_stand_in(document, 0x83) == 0x10FE83);
  CHECK(placemat_document_replace(document, 4, 5, "A", 1, NULL, &error) == PLACEMAT_READS_OTHERWISE);
  CHECK(!strcmp(error.code, "reads-otherwise") && strstr(error.message, "another text"));
  bytes_are(document, "\x83 \x93\xFA", 4);
  placemat_document_free(document);

  // Detection: of UTF-16 by its signature, of ASCII as UTF-8, of nothing where the answer is not sure.
  document = placemat_document_open("\xFF\xFEh\0\xE9\0", 6, 0);
  CHECK(document && placemat_document_encoding(document) == label("utf-16le") && placemat_document_signature_length(document) == 2);
  placemat_document_free(document);
  const char *const as_utf8[] = {"plain text\n", ""};
  for (size_t i = 0; i < 2; i++) {
    document = placemat_document_open(as_utf8[i], strlen(as_utf8[i]), 0);
    CHECK(placemat_document_encoding(document) == label("utf-8"));
    CHECK(placemat_document_replace(document, 0, 0, "\xE2\x82\xAC", 3, NULL, NULL) == PLACEMAT_DONE);
    placemat_document_free(document);
  }
  CHECK(!placemat_document_open("\x89PNG\r\n\x1A\n\0\0\0\rIHDR", 16, 0) && !placemat_document_open("caf\xE9", 4, 0));
  CHECK(!placemat_document_open("a", 1, 9999));
  document = placemat_document_open(NULL, 0, label("utf-8"));
  CHECK(document && placemat_document_bytes(document, NULL, 0) == PLACEMAT_DONE && placemat_document_line_count(document) == 1);
  placemat_document_free(document);

  CHECK(placemat_document_encoding(NULL) == 0 && placemat_document_length(NULL) == 0 && placemat_document_text_length(NULL) == 0);
  CHECK(placemat_document_bytes(NULL, text, 9) == PLACEMAT_BAD_ARGUMENT && placemat_document_utf16_length(NULL) == 0);
  CHECK(placemat_document_text(NULL, 0, 0, text, 9) == PLACEMAT_BAD_ARGUMENT && placemat_document_line_count(NULL) == 0);
  CHECK(placemat_document_replace(NULL, 0, 0, "", 0, NULL, NULL) == PLACEMAT_BAD_ARGUMENT);
  CHECK(placemat_document_replace_all(NULL, NULL, 0, NULL, NULL) == PLACEMAT_BAD_ARGUMENT);
  CHECK(placemat_document_text_to_byte(NULL, 0) == SIZE_MAX && placemat_document_signature_length(NULL) == 0);
  placemat_document_free(NULL);
}

int main(void) {
  validation();
#ifndef WITHOUT_ICONV
  forms();
  pairs();
#endif
  truncates();
  encodings();
  policies();
  calls();
  the_length_that_is_asked_for_is_always_room_enough();
  handles();
  detection();
  mixed();
  repairs();
  documents();
  puts("all passed");
  return 0;
}
