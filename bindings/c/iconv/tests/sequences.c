/* Random sequences of calls of iconv(3) on many handles: sequences [ROUNDS] [SEED]. What pieces give is compared with what one call
   gives for the whole. */
#include "../../placemat/tests/random.h"
#include <errno.h>
#include <iconv.h>

static const char *const NAMES[] = {
    "UTF-8", "UTF-8", "UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UCS-2", "ASCII", "ISO-8859-1", "WINDOWS-1252", "KOI8-R", "SHIFT_JIS",
    "EUC-JP", "GB18030", "BIG5", "BIG5-HKSCS", "EUC-KR", "ISO-2022-JP", "ISO-2022-KR", "UTF-7", "IBM037", "IBM930", "TCVN", "CP1258", "JOHAB",
};
static const char *const SUFFIXES[] = {"", "", "", "//IGNORE", "//TRANSLIT", "//TRANSLIT//IGNORE"};
enum { COUNT = sizeof NAMES / sizeof *NAMES, HANDLES = 8 };

/* A conversion in the middle of a text, and what one call makes of the whole. `result` is the sum of what the calls returned. */
struct conversion {
    iconv_t handle;
    char from[40], to[40];
    struct bytes text, got, want;
    size_t at, result, want_result, want_at;
    int want_code;
    bool is_open;
};

static unsigned long converted, stopped;

static void give_up(struct conversion *c) {
    if (c->is_open) {
        errno = 4242;
        CHECK(iconv_close(c->handle) == 0 && errno == 4242);
    }
    forget(&c->text), forget(&c->got), forget(&c->want);
    memset(c, 0, sizeof *c);
}

static struct bytes any_text(const char *from) {
    static const char *const parts[] = {"plain words, ", "caf\xC3\xA9 ", "\xD0\x9F\xD1\x80 ", "\xE6\x97\xA5\xE6\x9C\xAC", "\xF0\x9F\x98\x80", "\n", "\xE2\x82\xAC",
                                        "e\xCC\x81", "\xC3\x8A\xCC\x84", "\xE3\x81\x8B\xE3\x82\x9A"};
    struct bytes plain = {0}, text = {0};
    size_t length = one_in(3) ? below(1500) : below(50);
    while (plain.length < length) {
        const char *part = parts[below(sizeof parts / sizeof *parts)];
        append(&plain, part, strlen(part));
    }
    char name[60], out[8000], *in = plain.at, *to = out;
    size_t left = plain.length, room = sizeof out;
    snprintf(name, sizeof name, "%s//IGNORE", from);
    iconv_t handle = iconv_open(name, "UTF-8");
    CHECK(handle != (iconv_t)-1);
    iconv(handle, &in, &left, &to, &room);
    iconv(handle, NULL, NULL, &to, &room);
    iconv_close(handle);
    append(&text, out, sizeof out - room);
    forget(&plain);
    for (uint32_t damage = one_in(2) ? below(4) : 0; damage && text.length; damage--) text.at[below((uint32_t)text.length)] = (char)below(256);
    return text;
}

static void begin(struct conversion *c) {
    snprintf(c->from, sizeof c->from, "%s", NAMES[below(COUNT)]);
    snprintf(c->to, sizeof c->to, "%s%s", NAMES[below(COUNT)], SUFFIXES[below(6)]);
    c->handle = iconv_open(c->to, c->from);
    CHECK(c->handle != (iconv_t)-1);
    c->is_open = true;
    c->text = any_text(c->from);
    char *out = malloc(64000), *to = out, *in = c->text.at;
    CHECK(out);
    size_t left = c->text.length, room = 64000;
    iconv_t whole = iconv_open(c->to, c->from);
    errno = 0;
    c->want_result = iconv(whole, &in, &left, &to, &room);
    c->want_code = errno;
    if (left == 0) CHECK(iconv(whole, NULL, NULL, &to, &room) == 0);
    c->want_at = c->text.length - left;
    append(&c->want, out, 64000 - room);
    CHECK(iconv_close(whole) == 0);
    free(out);
}

static void start_again(struct conversion *c) {
    CHECK(iconv(c->handle, NULL, NULL, NULL, NULL) == 0);
    c->at = c->got.length = c->result = 0;
}

static void step(struct conversion *c) {
    if (!c->is_open) {
        begin(c);
        return;
    }
    if (one_in(60)) {
        give_up(c);
        return;
    }
    if (one_in(60)) {
        start_again(c);
        return;
    }
    size_t part = at_most(c->text.length - c->at), least = c->at + part == c->text.length ? 0 : 1;
    if (part > 12 && one_in(2)) part = least + below(12);
    struct block in = copy(c->text.at + c->at, part), out = make(one_in(3) ? below(12) : 40 + below(400));
    // A null address of the text would be a reset.
    static char nothing[1];
    char *const start = in.at ? in.at : nothing, *from = start, *to = out.at;
    size_t left = part, room = out.length;
    bool is_last = c->at + part == c->text.length;
    errno = 4242;
    size_t result = iconv(c->handle, &from, &left, &to, &room);
    int code = errno;
    CHECK(left <= part && room <= out.length && from == start + (part - left) && to == out.at + (out.length - room));
    append(&c->got, out.at, out.length - room);
    c->at += part - left;
    drop(&in), drop(&out);
    if (result != (size_t)-1) {
        CHECK(left == 0 && code == 4242);
        c->result += result;
    } else {
        CHECK(code == E2BIG || code == EINVAL || code == EILSEQ);
    }
    // With //IGNORE, a call that left characters out says so when it has read what it can.
    bool ignores = strstr(c->to, "IGNORE") != NULL, is_short = code == E2BIG || (code == EINVAL && !is_last);
    if (result == (size_t)-1 && (is_short || (ignores && code == EILSEQ && left != 0 && !is_last))) return;
    if (result == (size_t)-1 && !ignores) {
        // The same error at the same place, after the same text. What a composing encoding holds back was read by an earlier call.
        bool composes = strcmp(c->from, "TCVN") == 0 || strcmp(c->from, "CP1258") == 0;
        CHECK(c->want_result == (size_t)-1 && code == c->want_code && (c->at == c->want_at || composes));
        CHECK(same(&c->got, &c->want));
        stopped++;
    } else if (c->at == c->text.length) {
        out = make(64), to = out.at, room = out.length;
        CHECK(c->want_at == c->at && iconv(c->handle, NULL, NULL, &to, &room) == 0);
        append(&c->got, out.at, out.length - room);
        drop(&out);
        CHECK(same(&c->got, &c->want));
        converted++;
    } else if (is_last && result == (size_t)-1) {
        CHECK(c->at == c->want_at && same(&c->got, &c->want));
        stopped++;
    } else {
        return;
    }
    if (one_in(2)) {
        give_up(c);
    } else {
        start_again(c);
    }
}

int main(int argc, char **argv) {
    static struct conversion conversions[HANDLES];
    // No name is left to glibc, which asserts that no address is null.
    CHECK(setenv("PLACEMAT_ICONV", "only", 1) == 0);
    unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 20000;
    state = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    for (round_number = 0; round_number < rounds; round_number++) step(&conversions[below(HANDLES)]);
    for (int i = 0; i < HANDLES; i++) give_up(&conversions[i]);
    fprintf(stderr, "%lu texts converted, %lu stopped\n", converted, stopped);
    CHECK(rounds < 20000 || (converted && stopped));
    return 0;
}
