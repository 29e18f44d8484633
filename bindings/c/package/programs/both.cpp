// Includes every header in a program in C++.
#include <iconv.h>
#include <placemat.h>
#include <placemat_iconv.h>

int main() {
  placemat_encoding utf8 = placemat_encoding_for_label("utf-8", 5);
  iconv_t conversion = iconv_open("UTF-8", "KOI8-R");
  bool opened = conversion != reinterpret_cast<iconv_t>(-1) && iconv_close(conversion) == 0;
  return utf8 != 0 && opened && (_libiconv_version >> 8) == 1 ? 0 : 1;
}
