/* Opens, uses and closes a conversion between the named encodings, and says what the functions return. */
#include <errno.h>
#include <iconv.h>
#include <stdio.h>

int main(int argc, char **argv) {
    setvbuf(stdout, NULL, _IONBF, 0);
    if (argc != 3) return 2;
    errno = 0;
    iconv_t cd = iconv_open(argv[1], argv[2]);
    if (cd == (iconv_t)-1) {
        printf("failed: errno %d\n", errno);
        cd = (iconv_t)0x10;
    }
    char src[] = "a", dst[8], *in = src, *out = dst;
    size_t left = 1, room = sizeof dst;
    errno = 0;
    size_t result = iconv(cd, &in, &left, &out, &room);
    printf("iconv %zd, errno %d\n", (ssize_t)result, errno);
    errno = 0;
    int closed = iconv_close(cd);
    printf("iconv_close %d, errno %d\n", closed, errno);
}
