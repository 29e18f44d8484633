// The loaded parts of the text, divided into tokens. The grid asks for a part when it comes into
// view.

const PAGE = 1024;
const PAGES = 64;

/** Joins the errors that a decoder finds in one broken sequence into one token: the one that the command reports. */
function whole(tokens) {
  const out = [];
  for (const token of tokens) {
    const last = out.at(-1);
    if (token.k === 'ill' && last?.k === 'ill' && token.p === last.p && token.p < token.o && last.o + last.n === token.o) {
      last.n += token.n;
      last.times++;
    } else out.push(token.k === 'ill' ? { ...token, times: 1 } : token);
  }
  return out;
}

function makePages(ask, onPage) {
  let pages = new Map();
  let size = 0;
  let tag = 0;

  /** Forgets everything: another text, or the same one in another encoding. */
  function reset(newSize) {
    pages = new Map();
    size = newSize;
    tag++;
  }

  /** Returns the page of an offset; `null` if it is not loaded yet. */
  function page(offset) {
    const number = Math.floor(offset / PAGE);
    const known = pages.get(number);
    if (known) {
      // The most recently used page is dropped last.
      pages.delete(number);
      pages.set(number, known);
      return known.tokens ? known : null;
    }
    if (offset >= size) return null;
    load(number);
    return null;
  }

  async function load(number) {
    const mine = tag;
    const one = { promise: null };
    pages.set(number, one);
    if (pages.size > PAGES) pages.delete(pages.keys().next().value);
    one.promise = ask('window', { from: number * PAGE, to: (number + 1) * PAGE }).then((answer) => {
      if (mine !== tag || answer.stopped) return pages.get(number) === one && pages.delete(number);
      Object.assign(one, answer, { tokens: whole(answer.tokens) });
      one.owner = new Int32Array(one.bytes.length).fill(-1);
      one.tokens.forEach((token, i) => {
        const from = Math.max(0, token.o - one.from);
        one.owner.fill(i, from, Math.max(from, Math.min(one.bytes.length, token.o + token.n - one.from)));
      });
      onPage(one);
    });
    return one.promise;
  }

  /** Returns the page of an offset, once it is loaded. */
  async function need(offset) {
    const number = Math.floor(offset / PAGE);
    if (!pages.has(number)) load(number);
    await pages.get(number).promise;
    return page(offset);
  }

  return {
    reset,
    page,
    need,
    /** Returns the token with the byte at an offset; `undefined` if it is not loaded. */
    token(offset) {
      const one = page(offset);
      return one?.tokens[one.owner[offset - one.from]];
    },
    byte: (offset) => {
      const one = page(offset);
      return one?.bytes[offset - one.from];
    },
    get size() {
      return size;
    },
  };
}
