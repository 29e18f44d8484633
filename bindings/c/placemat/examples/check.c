// Says of each file whether it is UTF-8, and if not, where and why: check FILE...
#include <placemat.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int worst = 0;
  for (int i = 1; i < argc; i++) {
    FILE *file = fopen(argv[i], "rb");
    if (!file) {
      perror(argv[i]);
      return 2;
    }
    // From UTF-8 to UTF-8, text is copied as long as it is well-formed.
    placemat_encoding utf8 = placemat_encoding_for_label("utf-8", 5);
    placemat_transcoder *checker = placemat_transcoder_new(utf8, utf8, NULL, NULL);
    static char piece[65536], out[65536 + 16];
    placemat_error error = {0};
    placemat_progress progress;
    do {
      size_t length = fread(piece, 1, sizeof piece, file);
      progress = placemat_transcoder_convert(checker, piece, length, out, sizeof out, length == 0, &error);
    } while (progress.status == PLACEMAT_NEED_INPUT);
    if (progress.status == PLACEMAT_ILL_FORMED) {
      printf("%s: %s\n", argv[i], error.message);
      worst = 1;
    }
    placemat_transcoder_free(checker);
    fclose(file);
  }
  return worst;
}
