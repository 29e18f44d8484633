// Random texts, encodings, policies and cuts, right before protected memory: random [ROUNDS] [SEED]. A fault ends the program,
// and so does an answer that contradicts another one.
#include "random.h"
#include <placemat.h>

enum { PAGES = 16, MOST = PAGE * PAGES };

// Memory whose end is the start of a protected page.
static char *end_of_memory(void) {
  char *start = mmap(NULL, MOST + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED || mprotect(start + MOST, PAGE, PROT_NONE) != 0) {
    perror("random: protected memory");
    exit(2);
  }
  return start + MOST;
}

static size_t make_text(char *end, placemat_encoding from) {
  size_t length = below(4) ? below(40) : below(3000);
  char *text = end - length;
  uint32_t kind = below(5);
  for (size_t i = 0; i < length; i++) {
    uint32_t ascii = 0x20 + below(0x5F), byte = below(256);
    text[i] = (char)(kind == 0 ? byte : below(kind == 1 ? 4 : 40) ? ascii : byte);
  }
  if (kind >= 3) {
    // Well-formed text of the encoding, from code points; then perhaps one byte of damage.
    uint32_t points[700];
    uint32_t ranges[] = {0x80, 0x100, 0x800, 0x10000, 0x110000};
    size_t count = length / 4 < 700 ? length / 4 : 700;
    for (size_t i = 0; i < count; i++) points[i] = below(3) ? 0x20 + below(0x5F) : below(ranges[below(5)]);
    static char made[MOST];
    placemat_policy policy = {0};
    policy.on_error = policy.on_unmappable = PLACEMAT_SKIP;
    placemat_encoding utf32 = placemat_encoding_for_label("utf-32le", 8);
    length = placemat_convert(utf32, from, &policy, (const char *)points, 4 * count, made, sizeof made, NULL).written;
    if (length > MOST / 4) length = MOST / 4;
    memcpy(end - length, made, length);
    if (kind == 3 && length) end[-1 - (long)below((uint32_t)length)] = (char)below(256);
  }
  return length;
}

// Answers by the error alone; `data` selects the answer.
static bool answer(void *data, const placemat_error *error, char *text, size_t *length) {
  CHECK(*length == 1024 && strlen(error->message) < sizeof error->message && strlen(error->code) > 0);
  CHECK(error->byte_count <= sizeof error->bytes);
  uint64_t mix = error->offset * 2654435761u + *(const uint32_t *)data;
  *length = mix % 7 == 0 ? 1024 : mix % 5;
  memset(text, 'x', *length);
  return mix % 11 != 0;
}

// Converts in pieces, each time into as much room as it asks for at least. Returns what was written.
static size_t in_pieces(placemat_transcoder *t, const char *text, size_t length, char *out, placemat_progress *last,
                        placemat_error *error) {
  static char piece[MOST];
  size_t at = 0, written = 0, least = placemat_transcoder_min_output(t);
  // The longest answers that are possible fill megabytes, and `answer` gives shorter ones.
  if (least > MOST - 300) least = MOST - 300;
  for (int idle = 0;;) {
    size_t part = below(8) ? below(20) : below(2000);
    if (part > length - at) part = length - at;
    size_t room = least + (below(2) ? 0 : below(300));
    placemat_progress p = placemat_transcoder_convert(t, text + at, part, piece, room, at + part == length, error);
    CHECK(p.read <= part && p.written <= room && written + p.written <= MOST);
    memcpy(out + written, piece, p.written);
    written += p.written;
    at += p.read;
    *last = p;
    if (p.status != PLACEMAT_NEED_INPUT && p.status != PLACEMAT_NEED_OUTPUT) return written;
    CHECK(p.status == PLACEMAT_NEED_OUTPUT || p.read == part);
    idle = p.read || p.written || part == 0 ? 0 : idle + 1;
    CHECK(idle < 3);
  }
}

// A repair: its text, and copies of its changes.
struct repaired {
  char text[8 * MOST], texts[16 * MOST];
  size_t length, used, count;
  placemat_change changes[MOST];
};

static void add_text(void *data, const char *text, size_t length) {
  struct repaired *repaired = data;
  CHECK(length > 0 && length <= sizeof repaired->text - repaired->length);
  memcpy(repaired->text + repaired->length, text, length);
  repaired->length += length;
}

static void add_change(void *data, const placemat_change *change) {
  struct repaired *repaired = data;
  CHECK(repaired->count < MOST);
  CHECK(change->before_length + change->after_length <= sizeof repaired->texts - repaired->used);
  placemat_change *copy = &repaired->changes[repaired->count++];
  *copy = *change;
  copy->before = memcpy(repaired->texts + repaired->used, change->before, change->before_length);
  repaired->used += change->before_length;
  copy->after = memcpy(repaired->texts + repaired->used, change->after, change->after_length);
  repaired->used += change->after_length;
}

// A repair gives well-formed text, and its record gives the bytes back; pieces do not change the answer of a detection.
static void repair_and_detect(const char *text, size_t length) {
  static struct repaired repaired, undone;
  repaired.length = repaired.used = repaired.count = undone.length = 0;
  placemat_repair_settings settings = {0};
  settings.steps = below(3) ? 0 : below(128);
  settings.lost = below(2) ? 0 : PLACEMAT_HEX_ESCAPE;
  settings.fallback = below(4) ? 0 : below(placemat_encoding_count() + 1);
  settings.min_confidence = below(2) ? 0 : (float)below(101) / 100;
  settings.write = add_text, settings.changed = add_change, settings.data = &repaired;
  placemat_encoding encoding;
  CHECK(placemat_repair(text, length, &settings, &encoding) == PLACEMAT_DONE);
  CHECK(placemat_utf8_validate(repaired.text, repaired.length, NULL));
  CHECK(placemat_undo(repaired.text, repaired.length, encoding, repaired.changes, repaired.count, add_text, &undone, NULL) ==
        PLACEMAT_DONE);
  CHECK(undone.length == length && memcmp(undone.text, text, length) == 0);

  placemat_detection whole, pieces;
  memset(&whole, 0, sizeof whole);
  memset(&pieces, 0, sizeof pieces);
  placemat_detect(text, length, &whole);
  placemat_detector *detector = placemat_detector_new();
  for (size_t at = 0, part; at < length; at += part) {
    part = 1 + below(500);
    if (part > length - at) part = length - at;
    placemat_detector_feed(detector, text + at, part);
  }
  placemat_detector_finish(detector, false, &pieces);
  CHECK(whole.encoding == pieces.encoding && whole.confidence == pieces.confidence && whole.verdict == pieces.verdict);
  placemat_detector_free(detector);
}

int main(int argc, char **argv) {
  unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 20000;
  state = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
  char *text_end = end_of_memory(), *out_end = end_of_memory();
  // Aligned, as the results of some functions are units.
  static uint64_t whole_units[MOST / 8];
  static char cut[MOST], *const whole = (char *)whole_units;
  static const char marks[] = "[?]\xE2\x82\xAC";
  unsigned long statuses[7] = {0};
  for (round_number = 0; round_number < rounds; round_number++) {
    // Beyond the known encodings too, and often from or to UTF-8.
    placemat_encoding all = placemat_encoding_count(), utf8 = placemat_encoding_for_label("utf-8", 5);
    placemat_encoding from = below(3) ? below(all + 2) : utf8, to = below(3) ? below(all + 2) : utf8;
    size_t length = make_text(text_end, from);
    const char *text = text_end - length;
    uint32_t mode = below(100);
    placemat_policy policy = {0};
    policy.on_error = below(17), policy.on_unmappable = below(17), policy.span = below(20) ? below(4) : below(9);
    policy.error_text = policy.unmappable_text = marks;
    policy.error_text_length = below(7), policy.unmappable_text_length = below(4);
    policy.callback = below(50) ? answer : NULL, policy.data = &mode;

    // At once, with enough room.
    placemat_error error, other;
    placemat_progress p = placemat_convert(from, to, &policy, text, length, whole, MOST, &error);
    statuses[p.status]++;
    CHECK(p.read <= length && p.written <= MOST && p.status != PLACEMAT_NEED_INPUT);
    CHECK((p.status == PLACEMAT_ILL_FORMED || p.status == PLACEMAT_UNMAPPABLE) == (error.code[0] != 0));
    CHECK(p.status != PLACEMAT_ILL_FORMED || (error.offset < length && error.length <= length - error.offset));
    if (p.status == PLACEMAT_NEED_OUTPUT) continue;
    CHECK(placemat_converted_length(from, to, &policy, text, length) == p.written);

    // With just enough room, and with less.
    for (int less = 0; less < 2; less++) {
      size_t room = less ? below((uint32_t)p.written + 1) : p.written;
      placemat_progress q = placemat_convert(from, to, &policy, text, length, out_end - room, room, &other);
      CHECK(q.read <= length && q.written <= room && memcmp(out_end - room, whole, q.written) == 0);
      CHECK(q.status == p.status || (less && q.status == PLACEMAT_NEED_OUTPUT));
      if (q.status == p.status) CHECK(q.read == p.read && memcmp(&error, &other, sizeof error) == 0);
    }

    // In pieces, twice by one transcoder; the second time from its start after a reset.
    placemat_status status;
    placemat_transcoder *t = placemat_transcoder_new(from, to, &policy, &status);
    CHECK((t == NULL) == (p.status == PLACEMAT_UNKNOWN_ENCODING || p.status == PLACEMAT_BAD_ARGUMENT));
    CHECK(t || status == p.status);
    for (int again = 0; t && again < 2; again++) {
      placemat_progress last;
      size_t written = in_pieces(t, text, length, cut, &last, &other);
      CHECK(last.status == p.status && written == p.written && memcmp(cut, whole, written) == 0);
      CHECK(memcmp(&error, &other, sizeof error) == 0);
      if (below(2)) CHECK(placemat_transcoder_close(t, cut, sizeof cut).status == PLACEMAT_DONE);
      placemat_transcoder_reset(t);
    }
    placemat_transcoder_free(t);

    // The verdict about the text is that of its conversion.
    bool valid = placemat_validate(from, text, length, &other);
    policy.on_error = PLACEMAT_STOP, policy.on_unmappable = PLACEMAT_SKIP, policy.span = PLACEMAT_SPAN_MAXIMAL;
    p = placemat_convert(from, utf8, &policy, text, length, whole, MOST, &error);
    if (p.status == PLACEMAT_DONE) CHECK(valid);
    if (p.status == PLACEMAT_ILL_FORMED) CHECK(!valid && memcmp(&error, &other, sizeof error) == 0);

    // So is the verdict about the same bytes as units, which are right before protected memory too.
    uint16_t *units = (uint16_t *)(void *)(text_end - length / 2 * 2);
    uint32_t *points = (uint32_t *)(void *)(text_end - length / 4 * 4);
    p = placemat_utf8_to_utf32(text, length, (uint32_t *)(void *)whole, MOST / 4, &error);
    CHECK(placemat_utf8_validate(text, length, &other) == (p.status == PLACEMAT_DONE));
    CHECK(memcmp(&error, &other, sizeof error) == 0);
    p = placemat_utf16_to_utf8(units, length / 2, whole, MOST, &error);
    CHECK(placemat_utf16_validate(units, length / 2, &other) == (p.status == PLACEMAT_DONE));
    CHECK(memcmp(&error, &other, sizeof error) == 0);
    p = placemat_utf32_to_utf8(points, length / 4, whole, MOST, &error);
    CHECK(placemat_utf32_validate(points, length / 4, &other) == (p.status == PLACEMAT_DONE));
    CHECK(memcmp(&error, &other, sizeof error) == 0);
    placemat_sniff(text, length, NULL);
    placemat_encoding_for_label(text, length);
    placemat_encoding_for_web_label(text, length);
    placemat_encoding_for_locale(text, length);
    placemat_policy_for_name(text, length);
    if (round_number % 64 == 0) repair_and_detect(text, length);
  }
  // Every status was seen, but for NEED_INPUT, which only a transcoder answers, and NEED_OUTPUT.
  for (int i = 0; i < 7; i++) {
    fprintf(stderr, "%lu%s", statuses[i], i < 6 ? " " : " rounds by status\n");
    CHECK(statuses[i] > 0 || rounds < 1000 || i == PLACEMAT_NEED_INPUT || i == PLACEMAT_NEED_OUTPUT);
  }
  return 0;
}
