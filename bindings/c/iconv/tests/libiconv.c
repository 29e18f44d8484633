/* Prints what a library with the interface of GNU libiconv answers. Built against the header of this project, and linked with this
 * library, or with another one: libiconv.txt is what GNU libiconv 1.14 answered. */
#include <iconv.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define FAILED ((iconv_t)-1)

static void call(iconv_t cd, const char *name, const char *src, size_t len, size_t room) {
    char in[64], out[256], *from = in, *to = out;
    size_t left = len, rest = room;
    if (src) memcpy(in, src, len);
    errno = 0;
    size_t result = iconv(cd, src ? &from : NULL, &left, &to, &rest);
    printf("  %s: %d, errno %d, left %zu:", name, (int)result, errno, src ? left : 0);
    for (char *byte = out; byte < to; byte++) printf(" %02X", (unsigned char)*byte);
    putchar('\n');
}

static int get(iconv_t cd, int request) {
    int value = -1;
    return iconvctl(cd, request, &value) == 0 ? value : -2;
}

/* A euro sign, a quotation mark, and an ideograph, which ASCII lacks. */
static const char TEXT[] = "a\xE2\x82\xAC\xE2\x80\x9C" "b\xE6\x97\xA5" "c";

static void suffixes(void) {
    static const char *const names[] = {
        "ASCII", "ASCII//TRANSLIT", "ascii//translit", "ASCII//IGNORE", "ASCII//IGNORE//IGNORE", "ASCII//TRANSLIT,IGNORE",
        "ASCII/TRANSLIT", "ASCII//", "ASCII/", "ASCII//FOO", " ASCII", "ASCII ", "no-such-name", "ISO-8859-1//IGNORE",
    };
    for (size_t i = 0; i < COUNT(names); i++) {
        iconv_t cd = iconv_open(names[i], "UTF-8");
        printf("to %s: %s\n", names[i], cd == FAILED ? "EINVAL" : "open");
        if (cd != FAILED) {
            printf("  transliterates %d, ignores %d, trivial %d\n", get(cd, ICONV_GET_TRANSLITERATE), get(cd, ICONV_GET_DISCARD_ILSEQ),
                   get(cd, ICONV_TRIVIALP));
            call(cd, "text", TEXT, strlen("a\xE2\x82\xAC\xE2\x80\x9C" "b"), 256);
            call(cd, "ill-formed", "a\xFF" "b", 3, 256);
            call(cd, "incomplete", "a\xE2\x82", 3, 256);
            call(cd, "end", NULL, 0, 256);
            iconv_close(cd);
        }
        cd = iconv_open("UTF-8", names[i]);
        printf("from %s: %s\n", names[i], cd == FAILED ? "EINVAL" : "open");
        if (cd != FAILED) {
            printf("  transliterates %d, ignores %d\n", get(cd, ICONV_GET_TRANSLITERATE), get(cd, ICONV_GET_DISCARD_ILSEQ));
            iconv_close(cd);
        }
    }
}

static void marks(void) {
    static const char *const names[] = {
        "UTF-16", "UTF-16BE", "UTF-16LE", "UTF-32", "UTF-32LE", "UCS-2", "UCS-2BE", "UCS-4", "UCS-2-INTERNAL", "UCS-2-SWAPPED",
        "UCS-4-INTERNAL", "UNICODELITTLE", "WCHAR_T", "UTF-7", "ISO-2022-JP", "EUC-CN", "CP932", "EUC-JP",
    };
    for (size_t i = 0; i < COUNT(names); i++) {
        iconv_t cd = iconv_open(names[i], "UTF-8");
        printf("to %s: %s\n", names[i], cd == FAILED ? "EINVAL" : "open");
        if (cd == FAILED) continue;
        call(cd, "nothing", "", 0, 256);
        call(cd, "no room", "a", 1, 0);
        call(cd, "ASCII", "a\\~", 3, 256);
        call(cd, "ideograph", "\xE6\x97\xA5", 3, 256);
        call(cd, "end", NULL, 0, 1);
        call(cd, "end", NULL, 0, 256);
        call(cd, "again", "b", 1, 256);
        call(cd, "no room", "\xE6\x97\xA5", 3, 1);
        iconv_close(cd);
    }
    static const char *const from[] = {"UTF-16", "UTF-16BE", "UTF-16LE"};
    for (size_t i = 0; i < COUNT(from); i++) {
        static const char *const texts[] = {"\0a\0b", "\xFF\xFE" "a\0", "\xFE\xFF\0a", "\xFF\xFE\xE9\0"};
        for (size_t k = 0; k < COUNT(texts); k++) {
            iconv_t cd = iconv_open("ISO-8859-1//IGNORE", from[i]);
            printf("from %s, text %zu\n", from[i], k);
            call(cd, "a byte", texts[k], 1, 256);
            call(cd, "all", texts[k], 4, 256);
            if (i == 0 && k < 3) call(cd, "more", k == 1 ? "c\0d" : "\0c\0", 3, 256);
            call(cd, "end", NULL, 0, 256);
            call(cd, "another text", "\0a", 2, 256);
            iconv_close(cd);
        }
    }
}

static void controls(void) {
    int on = 1, off = 0;
    iconv_t cd = iconv_open("ASCII", "UTF-8");
    call(cd, "neither", TEXT, sizeof TEXT - 1, 256);
    printf("set %d\n", iconvctl(cd, ICONV_SET_TRANSLITERATE, &on));
    printf("transliterates %d, ignores %d\n", get(cd, ICONV_GET_TRANSLITERATE), get(cd, ICONV_GET_DISCARD_ILSEQ));
    call(cd, "transliterates", TEXT, 8, 256);
    printf("set %d\n", iconvctl(cd, ICONV_SET_TRANSLITERATE, &off));
    printf("set %d\n", iconvctl(cd, ICONV_SET_DISCARD_ILSEQ, &on));
    printf("transliterates %d, ignores %d\n", get(cd, ICONV_GET_TRANSLITERATE), get(cd, ICONV_GET_DISCARD_ILSEQ));
    call(cd, "ignores", TEXT, sizeof TEXT - 1, 256);
    call(cd, "ignores", "a\xFF" "b", 3, 256);
    printf("set %d\n", iconvctl(cd, ICONV_SET_DISCARD_ILSEQ, &off));
    call(cd, "neither", TEXT, sizeof TEXT - 1, 256);
    printf("hooks %d, fallbacks %d\n", iconvctl(cd, ICONV_SET_HOOKS, NULL), iconvctl(cd, ICONV_SET_FALLBACKS, NULL));
    errno = 0;
    int unknown = iconvctl(cd, 99, &on);
    printf("unknown %d, errno %d\n", unknown, errno);
    iconv_close(cd);
    static const char *const pairs[][2] = {{"UTF-8", "UTF-8"}, {"UTF-8//TRANSLIT", "utf-8"}, {"UTF-16", "UTF-16"}, {"LATIN1", "ISO-8859-1"},
                                           {"UTF-16", "UTF-16BE"}, {"UTF-8", "ASCII"}};
    for (size_t i = 0; i < COUNT(pairs); i++) {
        cd = iconv_open(pairs[i][0], pairs[i][1]);
        printf("trivial %s %s: %d\n", pairs[i][0], pairs[i][1], get(cd, ICONV_TRIVIALP));
        iconv_close(cd);
    }
}

static void names(void) {
    static const char *const names[] = {
        "UTF-8", "utf-16", "UCS-2", "ucs-4", "latin1", "l2", "cp1252", "ms-ansi", "windows-1251", "sjis", "ms_kanji", "euc-jp", "gbk",
        "gb2312", "euc-cn", "gb18030", "big5", "big5-hkscs", "koi8-r", "koi8-u", "ascii", "us", "utf-7", "iso-2022-jp", "mac",
        "tis-620", "cp437", "ibm850", "euc-kr", "uhc", "johab", "utf-8//TRANSLIT", "nonsense", "\xC3\xA9",
    };
    for (size_t i = 0; i < COUNT(names); i++) printf("canonical %s: %s\n", names[i], iconv_canonicalize(names[i]));
}

static int one(unsigned int count, const char *const *names, void *data) {
    int *seen = data;
    for (unsigned int i = 0; i < count; i++) {
        if (strcmp(names[i], "LATIN1") == 0) seen[0]++;
        if (strcmp(names[i], "UTF-8") == 0) seen[1]++;
    }
    return 0;
}

static int first(unsigned int count, const char *const *names, void *data) {
    (void)count, (void)names;
    return ++*(int *)data;
}

static void memory(void) {
    iconv_allocation_t memory;
    for (int i = 0; i < 3; i++) {
        printf("into: %d\n", iconv_open_into("UTF-16BE", "UTF-8", &memory));
        call((iconv_t)&memory, "into", "a", 1, 256);
    }
    errno = 0;
    int result = iconv_open_into("no-such-name", "UTF-8", &memory);
    printf("into: %d, errno %d\n", result, errno);
}

int main(void) {
    suffixes();
    marks();
    controls();
    names();
    int seen[2] = {0}, calls = 0;
    iconvlist(one, seen);
    iconvlist(first, &calls);
    printf("list: LATIN1 %d times, UTF-8 %d times; %d calls if the first ends it\n", seen[0], seen[1], calls);
    memory();
}
