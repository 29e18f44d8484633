// Lists the encodings, and finds the encoding of a text by its signature.
#include <placemat.h>
#include <stdio.h>

int main(void) {
  char name[64];
  for (placemat_encoding e = 1; e <= placemat_encoding_count(); e++) {
    placemat_encoding_name(e, name, sizeof name);
    printf("%s: at most %zu bytes a code point\n", name, placemat_encoding_max_bytes(e));
  }

  static const char text[] = "\xFE\xFF\x00h\x00i";
  size_t length;
  placemat_encoding found = placemat_sniff(text, sizeof text - 1, &length);
  placemat_encoding_name(found, name, sizeof name);
  printf("a signature of %zu bytes: %s\n", length, name);
  return 0;
}
