// Sentences written for this benchmark, repeated to a size.
export const SAMPLES = {
  ascii: "The quick tests of this package read a plain line like this one, again and again. ",
  french: "L'été dernier, la forêt brûlée reverdissait déjà près du château où naquit la poétesse. ",
  russian: "Каждое утро старый почтальон идёт вдоль реки и считает лодки, которые вернулись домой. ",
  greek: "Κάθε πρωί ο γέρος ταχυδρόμος περπατά δίπλα στο ποτάμι και μετρά τις βάρκες. ",
  japanese: "毎朝、年老いた郵便配達は川に沿って歩き、家に戻った舟を数える。カタカナも少し。",
  chinese: "每天早上，老邮递员沿着河边走，数着回家的小船，然后把信送到桥边的人家。",
  taiwanese: "每天早上，老郵差沿著河邊走，數著回家的小船，然後把信送到橋邊的人家。",
  korean: "매일 아침 늙은 우체부는 강을 따라 걸으며 집으로 돌아온 배를 센다. ",
  emoji: "🌊⛵🏡📬 a boat, a house 🚣🌅 and a letter 💌🕊️. ",
};

/** Returns about `size` bytes of a sample in an encoding, by the package that is passed, truncated between characters. */
export function fill(placemat, name, size, label) {
  const characters = [...SAMPLES[name]];
  const one = placemat.encode(SAMPLES[name], label).length;
  if (size < one) {
    let text = "";
    for (const c of characters) {
      if (placemat.encode(text + c, label).length > size) break;
      text += c;
    }
    return placemat.encode(text, label);
  }
  return placemat.encode(SAMPLES[name].repeat(Math.floor(size / one)), label);
}
