// Small tools for the document. All text is inserted as text: no function makes markup of a string.

const $ = (id) => document.getElementById(id);

/** Makes an element with attributes, listeners (`onclick`) and children. */
function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'class') element.className = value;
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Makes the text of a message, in which `…` in backticks is code. */
function prose(text) {
  return text.split('`').map((part, i) => (i % 2 ? el('code', {}, shownText(part)) : shownText(part)));
}

const announce = (() => {
  let timer;
  return (text) => {
    clearTimeout(timer);
    timer = setTimeout(() => ($('live').textContent = text), 150);
  };
})();

const hex2 = (byte) => byte.toString(16).toUpperCase().padStart(2, '0');
const hexOf = (bytes, most = Infinity) =>
  Array.from(bytes.subarray(0, most), hex2).join(' ') + (bytes.length > most ? ' …' : '');
const codePoint = (value) => `U+${value.toString(16).toUpperCase().padStart(4, '0')}`;
const grouped = new Intl.NumberFormat('en');
const count = (number, what, many = `${what}s`) => `${grouped.format(number)} ${number === 1 ? what : many}`;
const sized = (bytes) => {
  const units = ['KB', 'MB', 'GB', 'TB'];
  if (bytes < 10_000) return count(bytes, 'byte');
  let [value, at] = [bytes / 1000, 0];
  for (; value >= 1000 && at < 3; at++) value /= 1000;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[at]}`;
};
