// Text from files and names, made safe for a terminal.

/** Returns a text with controls, bidirectional controls, lone surrogates and other invisible characters escaped. */
export const plain = (text) =>
  text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);
