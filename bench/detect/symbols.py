#!/usr/bin/env python3
"""Makes short real-shaped texts with one or two bytes beyond ASCII: symbols, punctuation, names and words.

    symbols.py > symbols.tsv

Each line is a sample as judge.py reads it: id, language, encoding, size, domain, bytes in hexadecimal.  Every symbol stands
in contexts in which people write it.  The domain is `symbol` or `word`.
"""

PAGES = ["cp1252", "cp1250", "cp1251", "mac_roman", "cp437", "cp850"]

SYMBOLS = {
    "µ": ["10 µs", "5 µm", "a delay of 250 µs", "in µm", "width=3µm;", "470 µF capacitor", "# time in µs", "0.5 µg/l", "t = 12 µs\n", "(µs)"],
    "°": ["25 °C", "a 90° turn", "-5°C", "45° 30' N", "rotate by 180°", "Temperature: 21 °C", "at 350 °F", "0°", "angle (°)", "180°;90°;45°"],
    "§": ["§ 5", "see § 12.3", "(§ 4)", "§ 1 Abs. 2", "17 U.S.C. § 107", "under § 230", "BGB § 242", "§5.1", "§ 7a", "per § 9"],
    "½": ["½ cup", "1½ hours", "2 ½ teaspoons", "about ½ mile", "½ lb butter", "size 7½", "3½\" disk", "½ inch", "x = ½", "half (½)"],
    "×": ["100 × 200", "3 × 4 = 12", "1024×768", "5 × 10 cm", "8× zoom", "2 × 2", "a × b", "640 × 480 pixels", "x 10×", "4×4"],
    "®": ["Registered® name", "Windows® 95", "Intel® Core", "Adobe® Acrobat®", "a trademark (®)", "Linux® is", "Java® SE", "Microsoft® Word", "® 1999", "Unix®"],
    "™": ["Example™", "Java™ 2", "the Foo™ logo", "Mac OS X™", "Acme™ Widget", "ACME™", "Pentium™ II", "trademark™", "Super™.", "(TM or ™)"],
    "©": ["© 2004", "Copyright © 2001 Example Inc.", "© Jane Doe", "(c) or ©", "/* © 1998 */", "# Copyright © 2010-2012", "<p>© 2005</p>",
          "; © Acme", "© 1995-1999 by the authors", "Copyright ©, all rights reserved"],
    "€": ["5 €", "€ 100", "€5.99", "1.299,00 €", "price in €", "(€)", "20€", "€ or $", "EUR (€)", "cost: 12 €"],
    "£": ["£5", "£ 100", "£1,000.00", "price in £", "about £20", "GBP (£)", "£ or $", "cost: £12", "2 @ £3.50", "£9.99"],
    "–": ["1999–2004", "pages 12–15", "Mon–Fri", "this – and that", "A–Z", "9–17 h", "word – word", "x – y", "10–20 %", "London–Paris"],
    "—": ["yes — no", "word—word", "it was — he said — late", "— Anonymous", "Chapter 1 — Start", "wait—what", "a — b", "he—", "— 3 —", "end —"],
    "’": ["don’t", "it’s fine", "John’s book", "the users’ guide", "we’ve been", "I’m here", "can’t stop", "let’s go", "rock ’n’ roll", "’90s"],
    "“": ["he said “no", "the “best one", "“Start", "a “quoted word", "(“abc", "say “hello", "“A", "=“x", "see “Notes", "“1"],
    "”": ["no” he said", "the best” one", "end.”", "word” and", "abc”)", "hello”", "A” B", "x”;", "Notes” below", "1”"],
    "…": ["wait…", "and so on…", "… more", "Loading…", "a, b, …", "(…)", "Open…", "Save As…", "1, 2, … 10", "hmm… ok"],
    "•": ["• first item", "• Item\n• Item", "a • b", "Home • About • Contact", "• 1", "  • point", "•\tnote", "red • green", "• New:", "page 1 • page 2"],
}

# Names and words, with the pages in which they are written.
WEST, CENTRAL, CYRILLIC = ["cp1252", "mac_roman", "cp850"], ["cp1250", "iso8859-2", "cp852"], ["cp1251", "koi8-r", "cp866"]
WORDS = {
    "en": (WEST, ["naïve", "a naïve approach", "café", "my résumé", "Señor Smith", "jalapeño", "façade pattern", "El Niño years", "Brontë", "déjà vu"]),
    "es": (WEST, ["José;Málaga", "Muñoz", "María,España", "Año 2001", "Teléfono: 5", "Núñez;Peña", "Código", "Gómez\nLópez\nPérez\n", "León;24001", "información"]),
    "de": (WEST, ["Zürich;8001", "Müller", "Straße 5", "Köln,50667", "Schröder;Jürgen", "Grüße", "für", "über 100", "Größe: 5", "Österreich"]),
    "fr": (WEST, ["Hélène", "Besançon;25000", "Orléans,45", "Prénom;Nom", "été 2003", "Numéro: 3", "Réf. 12", "à 5 h", "Français", "Saint-Étienne"]),
    "pt": (WEST, ["São Paulo;SP", "João", "Conceição", "Não", "Belém,PA", "Goiânia;GO", "Informação", "Avó", "Brasília", "Código: 7"]),
    "sv": (WEST, ["Göteborg", "Malmö;200", "Åsa", "Örebro,701", "Västerås", "Björn", "för", "är", "Växjö", "Luleå;97"]),
    "it": (WEST, ["città", "Forlì;FC", "Cefalù,PA", "è", "perché", "Agliè;TO", "Viganò", "Canicattì", "più di 5", "Nardò;LE"]),
    "da": (WEST, ["København", "Århus;8000", "Ærø", "Sønderborg", "Bjørn", "på", "Møller", "Næstved,4700", "Jørgen", "Rødovre"]),
    "pl": (CENTRAL, ["Łódź;90-001", "Gdańsk", "Kraków,30", "Święta", "Wałęsa", "Żółć", "Poznań;60", "Białystok", "Rzeszów", "Częstochowa"]),
    "cs": (CENTRAL, ["Plzeň;301", "Dvořák", "Česká Třebová", "Děčín,405", "Jiří", "Říčany", "Hodnota: běží", "Třebíč", "Břeclav", "Žďár"]),
    "hu": (CENTRAL, ["Győr;9000", "Pécs,7600", "Erdős", "Kőszeg", "Szőke", "Gyöngyös", "Hódmezővásárhely", "Fűtés", "Dunaújváros", "Tűz"]),
    "ru": (CYRILLIC, ["Москва", "Иван;Петров", "Да", "Название: тест", "Адрес", "Киров,610000", "ул. Ленина 5", "Привет, мир", "Ошибка!", "имя"]),
}


def main():
    number = 0

    def sample(language, page, domain, text):
        nonlocal number
        try:
            data = text.encode(page)
        except UnicodeEncodeError:
            return
        if data.isascii():
            return
        print(f"s{number}", language, page, "20", domain, data.hex(), sep="\t")
        number += 1

    for symbol, contexts in SYMBOLS.items():
        for page in PAGES:
            for context in contexts:
                for text in (context, f"{context}\n", f"Note: {context}, as before\n"):
                    sample(symbol, page, "symbol", text)
    for language, (pages, words) in WORDS.items():
        for page in pages:
            for word in words:
                for text in (word, f"{word}\n", f"id;{word};2004-05-06\n"):
                    sample(language, page, "word", text)


if __name__ == "__main__":
    main()
