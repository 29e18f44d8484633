// Calls both libraries: prints a text that libplacemat_iconv converted, and the verdict of libplacemat about it.
#include <iconv.h>
#include <placemat.h>
#include <stdio.h>

int main(void) {
  char text[] = "caf\xE9 \x80", out[16], *from = text, *to = out;
  size_t left = sizeof text - 1, room = sizeof out;
  iconv_t conversion = iconv_open("UTF-8", "CP1252");
  if (conversion == (iconv_t)-1 || iconv(conversion, &from, &left, &to, &room) != 0 || iconv_close(conversion) != 0) return 1;
  size_t length = (size_t)(to - out);
  printf("%.*s\n", (int)length, out);
  placemat_error error;
  if (!placemat_utf8_validate(out, length, &error)) return 1;
  if (placemat_utf8_validate(text, sizeof text - 1, &error)) return 1;
  printf("%s\n", error.message);
  return 0;
}
