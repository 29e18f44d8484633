/* Calls with unusual pointers, lengths and buffers, compared with those of glibc. */
#include "test.h"
#include <stdint.h>
#include <sys/mman.h>

static const char *const NAMES[] = {
    "UTF-8", "UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE", "UCS-4", "ISO-8859-1", "ISO-8859-15", "ASCII", "KOI8-R",
    "IBM037", "WINDOWS-1251", "GBK", "GB18030", "EUC-JP", "EUC-KR", "BIG5", "UTF-7", "ISO-2022-JP",
};
/* Of these, the first ones are alike in glibc and here, to the last character. The contract's own tests compare all. */
enum { ALIKE = 15 };
#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const TEXTS[] = {
    "The quick brown fox jumps over the lazy dog, once, and again, until the line is longer than any vector that there is: 0123456789.",
    "caf\xC3\xA9, na\xC3\xAFve, \xC3\xA0 la carte; \xC3\xA9t\xC3\xA9, g\xC3\xA2teau, fa\xC3\xA7""ade, Stra\xC3\x9F""e, \xC3\xBC""ber, ma\xC3\xB1""ana, and back",
    "\xD0\x9F\xD1\x80\xD0\xB8\xD0\xB2\xD0\xB5\xD1\x82, \xD0\xBC\xD0\xB8\xD1\x80: \xD0\x9F\xD1\x80\xD0\xB8\xD0\xB2\xD0\xB5\xD1\x82, \xD0\xBC\xD0\xB8\xD1\x80",
    "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E and \xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E and \xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E \xFF",
};

enum { SIZE = 4096 };

/* Everything that a call changes. */
struct answer {
    size_t result, read, written, left, room;
    int code;
    unsigned char bytes[SIZE];
};

static struct answer call(struct library l, iconv_t cd, char *src, size_t len, size_t room) {
    struct answer a;
    memset(&a, 0, sizeof a);
    memset(a.bytes, 0xA5, SIZE);
    char *in = src, *out = (char *)a.bytes;
    a.left = len;
    a.room = room;
    errno = 4242;
    a.result = l.convert(cd, &in, &a.left, &out, &a.room);
    a.code = errno;
    a.read = (size_t)(in - src);
    a.written = (size_t)(out - (char *)a.bytes);
    return a;
}

/* Only the result is written, whatever the length: programs rely on the zeros after it. */
static void nothing_after_the_result(struct library a, struct library b) {
    long cases = 0, compared = 0;
    for (size_t t = 0; t < COUNT(TEXTS); t++) {
        for (size_t f = 0; f < COUNT(NAMES); f++) {
            char src[SIZE], *in = (char *)TEXTS[t], *out = src;
            size_t left = strlen(in), room = sizeof src;
            iconv_t cd = b.open(NAMES[f], "UTF-8");
            b.convert(cd, &in, &left, &out, &room);
            b.close(cd);
            size_t len = (size_t)(out - src);
            for (size_t i = 0; i < COUNT(NAMES); i++) {
                iconv_t x = a.open(NAMES[i], NAMES[f]), y = b.open(NAMES[i], NAMES[f]);
                CHECK(x != FAILED && y != FAILED, "%s -> %s", NAMES[f], NAMES[i]);
                for (size_t n = 0; n <= len; n += 1 + n / 16) {
                    /* More room than there is, in two ways. */
                    static const size_t rooms[] = {SIZE, 0x7FFFFFFF, (size_t)1 << 40, SIZE_MAX / 2, SIZE_MAX - 1};
                    size_t room = rooms[cases++ % COUNT(rooms)];
                    struct answer p = call(a, x, src, n, room);
                    for (size_t k = p.written; k < SIZE; k++) {
                        if (p.bytes[k] != 0xA5) {
                            CHECK(0, "%s -> %s, %zu bytes: byte %zu behind the result has changed", NAMES[f], NAMES[i], n, k - p.written);
                            break;
                        }
                    }
                    CHECK(p.left == n - p.read && p.room == room - p.written, "%s -> %s: counts", NAMES[f], NAMES[i]);
                    CHECK(p.result == (size_t)-1 || p.code == 4242, "%s -> %s: errno %d on success", NAMES[f], NAMES[i], p.code);
                    if (f >= ALIKE || i >= ALIKE) continue;
                    struct answer q = call(b, y, src, n, SIZE);
                    p.room = q.room;
                    compared += q.written != 0;
                    CHECK(memcmp(&p, &q, sizeof p) == 0, "%s -> %s, %zu bytes: not as glibc: %zd/%zd, errno %d/%d, read %zu/%zu, written %zu/%zu",
                          NAMES[f], NAMES[i], n, p.result, q.result, p.code, q.code, p.read, q.read, p.written, q.written);
                    a.convert(x, NULL, NULL, NULL, NULL);
                    b.convert(y, NULL, NULL, NULL, NULL);
                }
                a.close(x);
                b.close(y);
            }
        }
    }
    CHECK(compared > 1000, "only %ld comparisons", compared);
}

/* Long texts, with an ill-formed sequence at some place, and room that ends at some place. */
static void long_texts(struct library a, struct library b) {
    enum { LEN = 300000, ROOM = 4 * LEN + 64 };
    static const char *const names[] = {"UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE", "UTF-16", "UCS-4", "ISO-8859-1"};
    static const size_t places[] = {0, 1, 1023, 8191, 16384, 63000, 65535, 65536, 65537, 70000, 131071, 262143, LEN - 1, LEN};
    char *utf8 = malloc(LEN), *src = malloc(ROOM), *x = malloc(ROOM), *y = malloc(ROOM);
    for (size_t f = 0; f < 5; f++) {
        /* Letters of one and two bytes, Cyrillic, ideographs, and emoji, in stretches. */
        static const char *const letters[] = {"a", "\xC3\xA9", "\xD0\x96", "\xE6\x97\xA5", "\xF0\x9F\x98\x80"};
        size_t n = 0;
        for (size_t k = 0; n + 8 < LEN; k++) {
            const char *letter = letters[k / 777 % (f % 2 ? 5 : 2)];
            memcpy(utf8 + n, letter, strlen(letter));
            n += strlen(letter);
        }
        char *in = utf8, *out = src;
        size_t left = n, room = ROOM;
        iconv_t cd = b.open(names[f], "UTF-8");
        b.convert(cd, &in, &left, &out, &room);
        b.close(cd);
        size_t len = (size_t)(out - src);
        for (size_t i = 0; i < COUNT(names); i++) {
            for (size_t k = 0; k < COUNT(places); k++) {
                char saved[4];
                size_t place = places[k] / 4 * 4;
                memcpy(saved, src + place, 4);
                if (place + 4 <= len) memset(src + place, f == 1 || f == 2 ? 0xDB : 0xFF, 4);
                for (int cut = 0; cut < 2; cut++) {
                    size_t given = cut ? places[k] * 2 + 3 : ROOM, counts[2][2], results[2], moved[2][2];
                    int codes[2];
                    for (int which = 0; which < 2; which++) {
                        struct library l = which ? b : a;
                        char *result = which ? y : x;
                        memset(result, 0xA5, ROOM);
                        cd = l.open(names[i], names[f]);
                        in = src, out = result, left = len, room = given;
                        errno = 4242;
                        results[which] = l.convert(cd, &in, &left, &out, &room);
                        codes[which] = errno;
                        counts[which][0] = left, counts[which][1] = room;
                        moved[which][0] = (size_t)(in - src), moved[which][1] = (size_t)(out - result);
                        l.close(cd);
                    }
                    CHECK(results[0] == results[1] && codes[0] == codes[1] && memcmp(counts[0], counts[1], sizeof counts[0]) == 0 &&
                              memcmp(moved[0], moved[1], sizeof moved[0]) == 0,
                          "%s -> %s, error at %zu, room %zu: %zd/%zd, errno %d/%d, read %zu/%zu, written %zu/%zu", names[f], names[i], place,
                          given, results[0], results[1], codes[0], codes[1], moved[0][0], moved[1][0], moved[0][1], moved[1][1]);
                    CHECK(memcmp(x, y, ROOM) == 0, "%s -> %s, error at %zu, room %zu: the buffer", names[f], names[i], place, given);
                }
                memcpy(src + place, saved, 4);
            }
        }
    }
    free(utf8), free(src), free(x), free(y);
}

/* NULL where iconv(3) allows it, and where glibc does. */
static void nulls(struct library a, struct library b) {
    struct library both[] = {a, b};
    struct { size_t result; int code; size_t left, room, written; } got[2][8];
    memset(got, 0, sizeof got);
    for (int k = 0; k < 2; k++) {
        struct library l = both[k];
        iconv_t cd = l.open("ISO-2022-JP", "UTF-8");
        char buffer[64], *out, *null = NULL, *in;
        size_t left, room;
#define CALL(i, IN, LEFT, OUT, ROOM)                             \
    do {                                                         \
        errno = 4242;                                            \
        got[k][i].result = l.convert(cd, IN, LEFT, OUT, ROOM);   \
        got[k][i].code = errno;                                  \
        got[k][i].left = left;                                   \
        got[k][i].room = room;                                   \
        got[k][i].written = (size_t)(out - buffer);              \
    } while (0)
#define TEXT() (in = (char *)"\xE6\x97\xA5", left = 3, out = buffer, room = sizeof buffer)
        TEXT();
        CALL(0, NULL, NULL, NULL, NULL);
        CALL(1, &null, &left, &null, &room);
        CALL(2, &in, &left, &out, &room);
        room = 2;
        CALL(3, NULL, NULL, &out, &room);
        room = 3;
        CALL(4, &null, NULL, &out, &room);
        TEXT();
        CALL(5, &in, &left, &out, &room);
        CALL(6, NULL, NULL, &null, NULL);
        left = 0;
        CALL(7, &in, &left, &out, &room);
        l.close(cd);
    }
    for (int i = 0; i < 8; i++) {
        CHECK(memcmp(&got[0][i], &got[1][i], sizeof got[0][i]) == 0, "call %d: %zd/%zd, errno %d/%d, left %zu/%zu, room %zu/%zu, written %zu/%zu",
              i, got[0][i].result, got[1][i].result, got[0][i].code, got[1][i].code, got[0][i].left, got[1][i].left, got[0][i].room,
              got[1][i].room, got[0][i].written, got[1][i].written);
    }
    CHECK(got[0][3].code == E2BIG && got[0][4].result == 0, "the shift back");
    /* Where glibc reads through NULL, the library says that there is no room, or that there is nothing to do. */
    iconv_t cd = a.open("UTF-16LE", "UTF-8");
    char text[] = "abc", *in = text;
    size_t left = 3;
    CHECK(a.convert(cd, &in, &left, NULL, NULL) == (size_t)-1 && errno == E2BIG && left == 3, "no output");
    CHECK(a.convert(cd, &in, NULL, NULL, NULL) == 0 && in == text, "no count");
    a.close(cd);
}

/* Input and output in the same memory: each byte is read before it is overwritten, if the output does not run ahead. */
static void overlap(struct library a) {
    enum { LEN = 100000 };
    static char memory[2 * LEN + 64], expected[LEN];
    for (size_t i = 0; i < LEN; i++) expected[i] = (char)("abcdefghijklm\n"[i % 14]);
    for (size_t ahead = 0; ahead <= 64; ahead = ahead * 2 + 1) {
        for (size_t i = 0; i < LEN; i++) {
            memory[ahead + 2 * i] = expected[i];
            memory[ahead + 2 * i + 1] = 0;
        }
        iconv_t cd = a.open("ISO-8859-1", "UTF-16LE");
        char *in = memory + ahead, *out = memory;
        size_t left = 2 * LEN, room = LEN;
        size_t result = a.convert(cd, &in, &left, &out, &room);
        CHECK(result == 0 && left == 0 && room == 0, "%zu ahead: %zd, left %zu, room %zu", ahead, result, left, room);
        CHECK(memcmp(memory, expected, LEN) == 0, "%zu ahead: the result", ahead);
        a.close(cd);
    }
    /* The output runs ahead: the result is of no use, but within its room. */
    memset(memory, 'x', sizeof memory);
    iconv_t cd = a.open("UTF-16LE", "ISO-8859-1");
    char *in = memory, *out = memory + 1;
    size_t left = LEN, room = LEN;
    a.convert(cd, &in, &left, &out, &room);
    CHECK(out <= memory + 1 + LEN && memory[LEN + 1] == 'x', "beyond the room");
    a.close(cd);
}

/* Input and output that end where memory ends. */
static void guard_pages(struct library a) {
    enum { PAGE = 4096 };
    char *map = mmap(NULL, 6 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(map + 2 * PAGE, PAGE, PROT_NONE);
    mprotect(map + 5 * PAGE, PAGE, PROT_NONE);
    for (size_t t = 0; t < COUNT(TEXTS); t++) {
        size_t len = strlen(TEXTS[t]);
        for (size_t i = 0; i < COUNT(NAMES); i++) {
            iconv_t cd = a.open(NAMES[i], "UTF-8");
            for (size_t room = 0; room <= 300; room++) {
                char *in = map + 2 * PAGE - len, *out = map + 5 * PAGE - room;
                memcpy(in, TEXTS[t], len);
                size_t left = len, rest = room;
                a.convert(cd, &in, &left, &out, &rest);
                a.convert(cd, NULL, NULL, &out, &rest);
                CHECK(out + rest == map + 5 * PAGE, "%s", NAMES[i]);
                a.convert(cd, NULL, NULL, NULL, NULL);
            }
            a.close(cd);
        }
    }
    munmap(map, 6 * PAGE);
}

/* Names: unknown, long, strange. */
static void names(struct library a, struct library b) {
    size_t len = 10 << 20;
    char *name = malloc(len + 1);
    static const char fill[] = {'A', '/', ',', ' ', '\n', (char)0xFF, '-', ':'};
    for (size_t i = 0; i < COUNT(fill); i++) {
        memset(name, fill[i], len);
        name[len] = 0;
        errno = 0;
        iconv_t cd = a.open("UTF-8", name);
        if (cd != FAILED) {
            a.close(cd);
        } else {
            CHECK(errno == EINVAL || errno == ENOMEM, "10 MB of %02X: errno %d", (unsigned char)fill[i], errno);
        }
    }
    memcpy(name, "UTF-16LE//", 10);
    memset(name + 10, '/', len - 10);
    iconv_t cd = a.open(name, "UTF-8");
    if (cd != FAILED) a.close(cd);
    free(name);
    static const char *const strange[] = {"no-such-name", "\x1B[2J", "UTF-8\n", "%s%s%s%n", "../../../etc/passwd", "UTF-8/x/y/z", "\xFF\xFE"};
    for (size_t i = 0; i < COUNT(strange); i++) {
        errno = 0;
        iconv_t x = a.open(strange[i], "UTF-8");
        int code = errno;
        iconv_t y = b.open(strange[i], "UTF-8");
        CHECK((x == FAILED) == (y == FAILED), "name %zu", i);
        CHECK(x != FAILED || code == EINVAL, "name %zu: errno %d", i, code);
        if (x != FAILED) a.close(x);
        if (y != FAILED) b.close(y);
    }
    CHECK(a.open(NULL, "UTF-8") == FAILED && errno == EINVAL, "NULL");
    CHECK(a.open("UTF-8", NULL) == FAILED && errno == EINVAL, "NULL");
}

int main(void) {
    struct library a = ours(), b = glibc();
    nothing_after_the_result(a, b);
    long_texts(a, b);
    nulls(a, b);
    overlap(a);
    guard_pages(a);
    names(a, b);
    return failures != 0;
}
