// Random sequences of calls on many handles of every kind: sequences [ROUNDS] [SEED]. What pieces give is compared with what one call
// gives for the whole, and what an edit gives with the text that it must give.
#include "random.h"
#include <placemat.h>

static placemat_encoding named(const char *label) { return placemat_encoding_for_label(label, strlen(label)); }

static placemat_encoding any_encoding(void) {
  static const char *const usual[] = {"utf-8", "utf-8", "utf-16le", "utf-16be", "utf-32", "windows-1252", "shift_jis",
                                      "gb18030", "iso-2022-jp", "utf-7", "utf-16", "scsu", "hz-gb-2312"};
  return one_in(2) ? 1 + below(placemat_encoding_count()) : named(usual[below(sizeof usual / sizeof *usual)]);
}

// A text that is well-formed in the encoding, damaged, or no text.
static struct bytes any_text(placemat_encoding encoding) {
  static const char *const parts[] = {"plain words, ", "caf\xC3\xA9 d\xC3\xA9j\xC3\xA0 vu ", "\xD0\x9F\xD1\x80\xD0\xB8\xD0\xB2\xD0\xB5\xD1\x82 ",
                                      "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E", "\xF0\x9F\x98\x80", "\r\n", "\n", "caf\xC3\x83\xC2\xA9 ",
                                      "\xE2\x82\xAC", "\xEF\xBB\xBF", "e\xCC\x81"};
  struct bytes plain = {0}, text = {0};
  size_t length = one_in(3) ? below(2000) : below(60);
  while (plain.length < length) {
    const char *part = parts[below(sizeof parts / sizeof *parts)];
    append(&plain, part, strlen(part));
  }
  if (plain.length == 0 || one_in(8)) {
    for (size_t i = 0; i < length; i++) {
      char byte = (char)below(256);
      append(&text, &byte, 1);
    }
  } else {
    placemat_policy policy = {0};
    policy.on_unmappable = PLACEMAT_SKIP;
    size_t room = placemat_converted_length(named("utf-8"), encoding, &policy, plain.at, plain.length);
    struct block out = make(room);
    placemat_progress p = placemat_convert(named("utf-8"), encoding, &policy, plain.at, plain.length, out.at, room, NULL);
    CHECK(p.status == PLACEMAT_DONE && p.written == room);
    append(&text, out.at, room);
    drop(&out);
  }
  forget(&plain);
  static const char damage[] = {(char)0xFF, (char)0xC0, (char)0xED, (char)0xE2, (char)0x80, 0x1B, 0x0E, 0, '+', '~'};
  for (uint32_t left = one_in(2) ? below(4) : 0; left && text.length; left--)
    text.at[below((uint32_t)text.length)] = damage[below(sizeof damage)];
  return text;
}

static const char mark[] = "[\xE2\x82\xAC]";

static placemat_policy any_policy(void) {
  placemat_policy policy = {0};
  policy.on_error = one_in(3) ? PLACEMAT_STOP : below(PLACEMAT_OPTU16 + 1);
  policy.on_unmappable = one_in(3) ? PLACEMAT_STOP : below(PLACEMAT_OPTU_UNCHECKED + 1);
  policy.span = below(4);
  policy.error_text = policy.unmappable_text = mark;
  policy.error_text_length = one_in(2) ? sizeof mark - 1 : 1;
  policy.unmappable_text_length = 1;
  // A function of this program has no place in a comparison by value: `random.c` has one.
  if (policy.on_error == PLACEMAT_CALL) policy.on_error = PLACEMAT_REPLACE;
  if (policy.on_unmappable == PLACEMAT_CALL) policy.on_unmappable = PLACEMAT_REPLACE;
  return policy;
}

// What came of the calls: a test that makes none of one kind would prove nothing about it.
static unsigned long converted, stopped, detected, repaired_texts, edited, refused;

// A transcoder in the middle of a text, and what one call makes of the whole.
struct transcoder {
  placemat_transcoder *handle;
  struct bytes text, got, want;
  placemat_error want_error;
  placemat_status want_status;
  size_t at;
};

static void transcoder_drop(struct transcoder *t) {
  placemat_transcoder_free(t->handle);
  forget(&t->text), forget(&t->got), forget(&t->want);
  memset(t, 0, sizeof *t);
}

static void transcoder_step(struct transcoder *t) {
  if (!t->handle) {
    placemat_encoding from = any_encoding(), to = any_encoding();
    placemat_policy policy = any_policy();
    placemat_status status;
    t->handle = placemat_transcoder_new(from, to, &policy, one_in(2) ? &status : NULL);
    if (!t->handle) return;
    t->text = any_text(from);
    size_t room = placemat_converted_length(from, to, &policy, t->text.at, t->text.length);
    struct block out = make(room);
    placemat_progress p = placemat_convert(from, to, &policy, t->text.at, t->text.length, out.at, room, &t->want_error);
    CHECK(p.written == room && p.read <= t->text.length && p.status != PLACEMAT_NEED_OUTPUT);
    append(&t->want, out.at, p.written);
    t->want_status = p.status;
    drop(&out);
    return;
  }
  if (one_in(60)) {
    // What is given up can be closed, and begins again.
    struct block out = make(below(40));
    placemat_progress p = placemat_transcoder_close(t->handle, out.at, out.length);
    CHECK(p.written <= out.length && (p.status == PLACEMAT_DONE || p.status == PLACEMAT_NEED_OUTPUT));
    drop(&out);
    placemat_transcoder_reset(t->handle);
    t->at = t->got.length = 0;
    return;
  }
  if (one_in(80)) {
    transcoder_drop(t);
    return;
  }
  size_t part = at_most(t->text.length - t->at);
  if (one_in(2) && part > 5) part = below(6);
  size_t least = placemat_transcoder_min_output(t->handle), room = one_in(3) ? below(8) : least + below(300);
  bool last = t->at + part == t->text.length;
  struct block in = copy(t->text.at + t->at, part), out = make(room);
  placemat_error error, *place = one_in(4) ? NULL : &error;
  placemat_progress p = placemat_transcoder_convert(t->handle, in.at, part, out.at, room, last, place);
  CHECK(p.read <= part && p.written <= room);
  append(&t->got, out.at, p.written);
  t->at += p.read;
  drop(&in), drop(&out);
  CHECK(t->got.length <= t->want.length && memcmp(t->got.at ? t->got.at : "", t->want.at ? t->want.at : "", t->got.length) == 0);
  if (p.status == PLACEMAT_NEED_INPUT) CHECK(p.read == part && !last);
  if (p.status == PLACEMAT_NEED_INPUT || p.status == PLACEMAT_NEED_OUTPUT) {
    CHECK(room < least || p.read || p.written || part == 0 || p.status == PLACEMAT_NEED_INPUT);
    return;
  }
  CHECK(p.status == t->want_status && same(&t->got, &t->want));
  p.status == PLACEMAT_DONE ? converted++ : stopped++;
  if (place) CHECK(memcmp(place, &t->want_error, sizeof error) == 0);
  if (one_in(2)) {
    placemat_transcoder_reset(t->handle);
    t->at = t->got.length = 0;
  } else {
    transcoder_drop(t);
  }
}

// A detector in the middle of a text.
struct detector {
  placemat_detector *handle;
  struct bytes text;
  size_t at;
};

static void same_detection(const placemat_detection *a, const placemat_detection *b) {
  CHECK(a->verdict == b->verdict && a->encoding == b->encoding && a->confidence == b->confidence && a->length == b->length);
  CHECK(a->first_non_ascii == b->first_non_ascii && a->ill_formed == b->ill_formed && a->first_ill_formed == b->first_ill_formed);
  CHECK(a->signature_length == b->signature_length && a->declared == b->declared && a->mixed_count == b->mixed_count);
  CHECK(a->candidate_count == b->candidate_count && a->candidate_count <= PLACEMAT_MAX_CANDIDATES);
  for (uint32_t i = 0; i < a->candidate_count; i++) CHECK(a->candidates[i].encoding == b->candidates[i].encoding);
  CHECK(strcmp(a->language, b->language) == 0);
}

static void detector_step(struct detector *d) {
  if (!d->handle || (d->at == 0 && d->text.length == 0)) {
    if (!d->handle) d->handle = placemat_detector_new();
    forget(&d->text);
    d->text = any_text(any_encoding());
  }
  size_t part = at_most(d->text.length - d->at);
  struct block in = copy(d->text.at + d->at, part);
  placemat_detector_feed(d->handle, in.at, part);
  drop(&in);
  d->at += part;
  if (one_in(50)) {
    // Handles are given back in the middle of a text, too.
    placemat_detector_free(d->handle);
    d->handle = NULL, d->at = 0;
  } else if (d->at == d->text.length) {
    placemat_detection whole, pieces;
    struct block all = copy(d->text.at, d->text.length);
    CHECK(placemat_detect(all.at, all.length, &whole) == placemat_detector_finish(d->handle, false, &pieces));
    same_detection(&whole, &pieces);
    detected++;
    drop(&all);
    d->at = d->text.length = 0;
  }
}

// A repair: its text, and a line for each change.
struct repaired {
  struct bytes text, changes;
};

static void add_text(void *data, const char *text, size_t length) { append(&((struct repaired *)data)->text, text, length); }

static void add_change(void *data, const placemat_change *change) {
  struct bytes *to = &((struct repaired *)data)->changes;
  CHECK(change->encoding_count <= PLACEMAT_MAX_LAYERS);
  append(to, (const char *)&change->offset, sizeof change->offset);
  append(to, (const char *)&change->repaired_offset, sizeof change->repaired_offset);
  append(to, change->before, change->before_length);
  append(to, change->after, change->after_length);
}

struct repairer {
  placemat_repairer *handle;
  placemat_repair_settings settings;
  struct repaired *got;
  struct bytes text;
  size_t learned, at;
};

static void repairer_drop(struct repairer *r) {
  placemat_repairer_free(r->handle);
  if (r->got) forget(&r->got->text), forget(&r->got->changes), free(r->got);
  forget(&r->text);
  memset(r, 0, sizeof *r);
}

static void repairer_step(struct repairer *r) {
  if (!r->handle) {
    r->got = calloc(1, sizeof *r->got);
    CHECK(r->got);
    r->settings.steps = one_in(2) ? 0 : below(128);
    r->settings.lost = one_in(2) ? PLACEMAT_HEX_ESCAPE : 0;
    r->settings.fallback = one_in(4) ? any_encoding() : 0;
    r->settings.min_confidence = one_in(3) ? (float)below(101) / 100 : 0;
    r->settings.write = add_text, r->settings.changed = add_change, r->settings.data = r->got;
    r->handle = placemat_repairer_new(&r->settings);
    CHECK(r->handle);
    r->text = any_text(any_encoding());
    return;
  }
  bool is_learning = r->learned < r->text.length;
  size_t start = is_learning ? r->learned : r->at, part = at_most(r->text.length - start);
  struct block in = copy(r->text.at + start, part);
  if (is_learning) {
    placemat_repairer_learn(r->handle, in.at, part);
    r->learned += part;
  } else {
    placemat_repairer_push(r->handle, in.at, part);
    r->at += part;
  }
  drop(&in);
  if (one_in(50)) {
    repairer_drop(r);
  } else if (r->at == r->text.length) {
    struct repaired whole = {{0}, {0}};
    placemat_encoding encoding;
    r->settings.data = &whole;
    CHECK(placemat_repair(r->text.at, r->text.length, &r->settings, &encoding) == PLACEMAT_DONE);
    CHECK(placemat_repairer_finish(r->handle) == encoding);
    repaired_texts++;
    CHECK(same(&whole.text, &r->got->text) && same(&whole.changes, &r->got->changes));
    CHECK(placemat_utf8_validate(whole.text.at, whole.text.length, NULL));
    forget(&whole.text), forget(&whole.changes);
    // The same repairer is ready for another text.
    if (one_in(2)) {
      r->got->text.length = r->got->changes.length = 0;
      r->learned = r->at = 0;
      forget(&r->text);
      r->text = any_text(any_encoding());
    } else {
      repairer_drop(r);
    }
  }
}

// A document, with its text and its bytes as they must be.
struct document {
  placemat_document *handle;
  struct bytes text, bytes;
};

static void document_drop(struct document *d) {
  placemat_document_free(d->handle);
  forget(&d->text), forget(&d->bytes);
  d->handle = NULL;
}

static void document_read(const placemat_document *handle, struct bytes *text, struct bytes *bytes) {
  struct block room = make(placemat_document_text_length(handle));
  CHECK(placemat_document_text(handle, 0, room.length, room.at, room.length) == PLACEMAT_DONE);
  append(text, room.at, room.length);
  drop(&room);
  room = make(placemat_document_length(handle));
  CHECK(placemat_document_bytes(handle, room.at, room.length) == PLACEMAT_DONE);
  append(bytes, room.at, room.length);
  drop(&room);
  if (bytes->length) {
    room = make(bytes->length - 1);
    CHECK(placemat_document_bytes(handle, room.at, room.length) == PLACEMAT_NEED_OUTPUT);
    drop(&room);
  }
}

// An offset of the text, mostly: at the end, beyond it, or within a character.
static size_t any_offset(size_t length) {
  switch (below(12)) {
    case 0: return SIZE_MAX - below(3);
    case 1: return length + below(3);
    case 2: return (size_t)1 << (31 + below(2));
    default: return at_most(length);
  }
}

static void document_ask(const struct document *d) {
  size_t length = d->text.length, offset = any_offset(length), byte = placemat_document_text_to_byte(d->handle, offset);
  CHECK((byte == SIZE_MAX) == (offset > length) && (byte == SIZE_MAX || byte <= d->bytes.length));
  size_t back = placemat_document_text_of_byte(d->handle, any_offset(d->bytes.length));
  CHECK(back == SIZE_MAX || back <= length);
  size_t wide = placemat_document_utf16_length(d->handle), unit = any_offset(wide);
  CHECK((placemat_document_utf16_of_text(d->handle, offset) == SIZE_MAX) == (offset > length));
  CHECK((placemat_document_text_of_utf16(d->handle, unit) == SIZE_MAX) == (unit > wide));
  placemat_position position = {any_offset(placemat_document_line_count(d->handle)), any_offset(40)}, found;
  size_t place = placemat_document_text_of_position(d->handle, position);
  CHECK((place == SIZE_MAX) == (position.line >= placemat_document_line_count(d->handle)) && (place == SIZE_MAX || place <= length));
  CHECK(placemat_document_position_of_text(d->handle, offset, one_in(3) ? NULL : &found) == (offset <= length));
  placemat_document_stand_in(d->handle, (uint8_t)below(256));
}

static void document_step(struct document *d) {
  if (!d->handle) {
    placemat_encoding encoding = any_encoding();
    struct bytes text = any_text(encoding);
    struct block in = copy(text.at, text.length);
    d->handle = placemat_document_open(in.at, in.length, one_in(4) ? 0 : encoding);
    if (d->handle) {
      document_read(d->handle, &d->text, &d->bytes);
      CHECK(same(&d->bytes, &text));
    }
    drop(&in);
    forget(&text);
    return;
  }
  document_ask(d);
  if (one_in(30)) {
    document_drop(d);
    return;
  }
  static const char *const texts[] = {"x", "", "\xC3\xA9", "\xE6\x97\xA5", "\r\n", "\xFF", "\xF0\x9F\x98\x80", "+-&~\x1B$B"};
  placemat_replacement changes[3];
  struct block added[3];
  size_t count = 1 + below(3), failed = 99, at = 0;
  for (size_t i = 0; i < count; i++) {
    const char *text = texts[below(8)];
    size_t start = one_in(10) ? any_offset(d->text.length) : at + at_most(d->text.length > at ? d->text.length - at : 0);
    size_t end = one_in(10) ? any_offset(d->text.length) : start + below(4);
    added[i] = copy(text, strlen(text));
    changes[i].start = start, changes[i].end = end, changes[i].text = added[i].at, changes[i].length = strlen(text);
    at = end;
  }
  placemat_error error;
  placemat_replaced replaced = {0, 0, 0};
  placemat_status status;
  if (count == 1) {
    status = placemat_document_replace(d->handle, changes[0].start, changes[0].end, changes[0].text, changes[0].length, &replaced, &error);
  } else {
    status = placemat_document_replace_all(d->handle, changes, count, &failed, one_in(2) ? &error : NULL);
    CHECK(status == PLACEMAT_DONE ? failed == count : failed < count);
  }
  struct bytes text = {0}, bytes = {0}, want = {0};
  document_read(d->handle, &text, &bytes);
  status == PLACEMAT_DONE ? edited++ : refused++;
  if (status == PLACEMAT_DONE) {
    size_t from = 0;
    for (size_t i = 0; i < count; i++) {
      CHECK(changes[i].start <= changes[i].end && changes[i].end <= d->text.length && changes[i].start >= from);
      append(&want, d->text.at + from, changes[i].start - from);
      append(&want, changes[i].text, changes[i].length);
      from = changes[i].end;
    }
    append(&want, d->text.at + from, d->text.length - from);
    CHECK(same(&text, &want));
    if (count == 1) {
      CHECK(replaced.start <= replaced.end && replaced.end <= d->bytes.length);
      CHECK(bytes.length == d->bytes.length - (replaced.end - replaced.start) + replaced.length);
      CHECK(memcmp(bytes.at ? bytes.at : "", d->bytes.at ? d->bytes.at : "", replaced.start) == 0);
      size_t after = d->bytes.length - replaced.end;
      CHECK(after == 0 || memcmp(bytes.at + replaced.start + replaced.length, d->bytes.at + replaced.end, after) == 0);
    }
  } else {
    CHECK(same(&text, &d->text) && same(&bytes, &d->bytes));
  }
  forget(&want), forget(&d->text), forget(&d->bytes);
  d->text = text, d->bytes = bytes;
  for (size_t i = 0; i < count; i++) drop(&added[i]);
}

// Null in place of each handle, and of what may be null.
static void null_handles(void) {
  char out[8];
  placemat_progress p = placemat_transcoder_convert(NULL, "a", 1, out, sizeof out, true, NULL);
  CHECK(p.status == PLACEMAT_BAD_ARGUMENT && p.read == 0 && p.written == 0);
  CHECK(placemat_transcoder_close(NULL, out, sizeof out).written == 0);
  placemat_transcoder_reset(NULL), placemat_transcoder_free(NULL);
  CHECK(placemat_transcoder_min_output(NULL) == 0);
  placemat_detector_feed(NULL, "a", 1), placemat_detector_free(NULL);
  CHECK(placemat_detector_finish(NULL, one_in(2), NULL) == 0);
  placemat_repairer_learn(NULL, "a", 1), placemat_repairer_push(NULL, "a", 1), placemat_repairer_free(NULL);
  CHECK(placemat_repairer_finish(NULL) == 0 && placemat_repair("a", 1, NULL, NULL) == PLACEMAT_DONE);
  CHECK(placemat_regions("a", 1, NULL, NULL) == PLACEMAT_BAD_ARGUMENT);
  placemat_document_free(NULL);
  CHECK(placemat_document_encoding(NULL) == 0 && placemat_document_length(NULL) == 0 && placemat_document_line_count(NULL) == 0);
  CHECK(placemat_document_replace(NULL, 0, 0, NULL, 0, NULL, NULL) == PLACEMAT_BAD_ARGUMENT);
  CHECK(placemat_document_replace_all(NULL, NULL, 0, NULL, NULL) == PLACEMAT_BAD_ARGUMENT);
  CHECK(placemat_document_text(NULL, 0, 0, out, sizeof out) == PLACEMAT_BAD_ARGUMENT);
  CHECK(placemat_document_text_to_byte(NULL, 0) == SIZE_MAX && !placemat_document_position_of_text(NULL, 0, NULL));
  CHECK(placemat_validate(named("utf-8"), NULL, 0, NULL) && placemat_detect(NULL, 0, NULL) == 0 && placemat_is_ascii(NULL, 0));
}

// Names into buffers of every size.
static void names(void) {
  placemat_encoding encoding = below(placemat_encoding_count() + 3);
  struct block room = make(below(70));
  size_t length = placemat_encoding_name(encoding, room.at, room.length);
  CHECK(length < 64);
  if (length && room.length) CHECK(strlen(room.at) == (length < room.length ? length : room.length - 1));
  if (length && length < room.length) CHECK(placemat_encoding_for_label(room.at, length) == encoding);
  static const char *const odd[] = {"utf-8b", "utf-9", "utf-18", "utf-8-mac", "utf-8", ""};
  const char *one = odd[below(6)];
  struct block label = copy(one, strlen(one));
  CHECK(placemat_label_about(label.at, label.length, room.at, room.length) < 256);
  drop(&label), drop(&room);
}

int main(int argc, char **argv) {
  enum { HANDLES = 6 };
  static struct transcoder transcoders[HANDLES];
  static struct detector detectors[HANDLES];
  static struct repairer repairers[HANDLES];
  static struct document documents[HANDLES];
  unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 20000;
  state = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
  for (round_number = 0; round_number < rounds; round_number++) {
    uint32_t which = below(HANDLES);
    switch (below(40)) {
      case 0: null_handles(); break;
      case 1: case 2: names(); break;
      case 3: detector_step(&detectors[which]); break;
      case 4: repairer_step(&repairers[which]); break;
      case 5: case 6: case 7: case 8: document_step(&documents[which]); break;
      default: transcoder_step(&transcoders[which]);
    }
  }
  for (int i = 0; i < HANDLES; i++) {
    transcoder_drop(&transcoders[i]);
    placemat_detector_free(detectors[i].handle), forget(&detectors[i].text);
    repairer_drop(&repairers[i]);
    document_drop(&documents[i]);
  }
  fprintf(stderr, "%lu texts converted, %lu stopped, %lu detected, %lu repaired; %lu edits, %lu refused\n", converted, stopped, detected,
          repaired_texts, edited, refused);
  CHECK(rounds < 20000 || (converted && stopped && detected && repaired_texts && edited && refused));
  return 0;
}
