// The help of the command.

export const HELP = `placemat: check, convert, detect and repair text in 452 encodings

  placemat check [-f ENCODING] [FILE]...
      Prints each ill-formed sequence: where, why, and what to do.
  placemat convert -f FROM [-t TO] [-e POLICY] [--unmappable POLICY] [-o OUTPUT] [FILE]
      Changes the encoding, to UTF-8 unless -t says otherwise.
  placemat detect [FILE]...
      Prints the encoding of each file, how sure that is, and the language.
  placemat repair [-o OUTPUT] [FILE]
      Prints damaged text as well-formed UTF-8.

Without a file, or for -, standard input is read. Policies for errors are fatal, replace,
ignore, hex, latin1, cp1252; for what the target lacks there are also xmlref and translit.
-q prints no report. The exit status is 0 if all is well, 1 if something was found, and 2 if
something went wrong.

This is the command of the npm package. The command written in Rust does more: directories,
in-place changes, undo, lints, and other formats.
`;
