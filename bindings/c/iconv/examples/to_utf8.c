// Reads standard input in an encoding and writes it in UTF-8, by iconv(3): to_utf8 ENCODING
#include <errno.h>
#include <iconv.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: to_utf8 ENCODING\n");
    return 2;
  }
  iconv_t conversion = iconv_open("UTF-8", argv[1]);
  if (conversion == (iconv_t)-1) {
    fprintf(stderr, "to_utf8: %s: unknown encoding\n", argv[1]);
    return 2;
  }
  char piece[4096], out[4096];
  unsigned long long before = 0;  // bytes of earlier pieces
  size_t kept = 0, length;        // bytes that the last piece left unread
  int status = 0;
  while (status == 0 && (length = fread(piece + kept, 1, sizeof piece - kept, stdin)) > 0) {
    char *in = piece;
    size_t left = kept + length;
    int full;
    do {
      char *end = out;
      size_t room = sizeof out;
      size_t result = iconv(conversion, &in, &left, &end, &room);
      full = result == (size_t)-1 && errno == E2BIG;
      if (result == (size_t)-1 && errno == EILSEQ) status = 1;
      fwrite(out, 1, sizeof out - room, stdout);
    } while (full);
    // A sequence that the piece cuts stays unread: it begins the next piece.
    before += (size_t)(in - piece);
    memmove(piece, in, left);
    kept = left;
  }
  if (status == 0 && kept == 0) {
    // The end of the text: some encodings hold a letter back until they know that no mark follows.
    char *end = out;
    size_t room = sizeof out;
    iconv(conversion, NULL, NULL, &end, &room);
    fwrite(out, 1, sizeof out - room, stdout);
  } else {
    fflush(stdout);
    fprintf(stderr, "to_utf8: %s sequence at byte %llu\n", status ? "ill-formed" : "incomplete", before);
    status = 1;
  }
  iconv_close(conversion);
  return status;
}
