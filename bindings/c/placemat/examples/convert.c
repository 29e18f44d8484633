// Converts standard input to standard output, piece by piece: convert FROM TO
#include <placemat.h>
#include <stdio.h>
#include <string.h>

static placemat_encoding encoding(const char *label) {
  placemat_encoding found = placemat_encoding_for_label(label, strlen(label));
  if (!found) fprintf(stderr, "convert: unknown encoding\n");
  return found;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: convert FROM TO\n");
    return 2;
  }
  // U+FFFD replaces ill-formed input; a code point that the target lacks ends the conversion.
  placemat_policy policy = {0};
  policy.on_error = PLACEMAT_REPLACE;
  placemat_transcoder *transcoder =
      placemat_transcoder_new(encoding(argv[1]), encoding(argv[2]), &policy, NULL);
  if (!transcoder) return 2;

  char piece[4096], out[4096];
  placemat_error error;
  placemat_progress progress;
  do {
    size_t length = fread(piece, 1, sizeof piece, stdin), read = 0;
    do {
      progress = placemat_transcoder_convert(transcoder, piece + read, length - read, out, sizeof out,
                                             length == 0, &error);
      read += progress.read;
      fwrite(out, 1, progress.written, stdout);
    } while (progress.status == PLACEMAT_NEED_OUTPUT);
  } while (progress.status == PLACEMAT_NEED_INPUT);

  if (progress.status == PLACEMAT_UNMAPPABLE) fprintf(stderr, "convert: %s\n", error.message);
  placemat_transcoder_free(transcoder);
  return progress.status == PLACEMAT_DONE ? 0 : 1;
}
