"""Writes tests/vectors/detect.jsonl: sentences in many encodings, as CPython writes them.

    python3 detect.py ../vectors

Each line has the name of Python's codec, the text, and the bytes in hex.
"""
import json, sys
from pathlib import Path

TEXTS = {
'fr':"Le café est fermé à cause de la fête de l'école, où les élèves ont préparé des gâteaux. Après, déjà fatigués, ils sont rentrés à pied.",
'ru':"Сегодня утром мы пошли в лес за грибами и нашли много интересного. Потом пошёл дождь, и все вернулись домой.",
'el':"Σήμερα το πρωί πήγαμε στη θάλασσα και κολυμπήσαμε μέχρι το μεσημέρι. Μετά φάγαμε ψάρι σε μια μικρή ταβέρνα.",
'zh':"今天早上我们去公园散步,看到很多人在打太极拳。中午我们一起吃了面条,然后回家休息。晚上下起了大雨。",
'tw':"今天早上我們去公園散步,看到很多人在打太極拳。中午我們一起吃了麵條,然後回家休息。晚上下起了大雨。",
'ja':"今日の朝、私たちは公園へ散歩に行きました。たくさんの人が体操をしていました。昼にはみんなでラーメンを食べました。",
'ko':"오늘 아침에 우리는 공원으로 산책을 갔습니다. 많은 사람들이 운동을 하고 있었습니다. 점심에는 같이 국수를 먹었습니다.",
'pl':"Dziś rano poszliśmy do lasu na grzyby i znaleźliśmy ich bardzo dużo. Potem zaczął padać deszcz, więc wróciliśmy do domu później.",
'th':"เช้านี้เราไปเดินเล่นในสวนสาธารณะ เห็นคนมากมายกำลังออกกำลังกาย แล้วเราก็กินก๋วยเตี๋ยวด้วยกัน",
'he':"הבוקר הלכנו לטייל בפארק וראינו הרבה אנשים שעושים התעמלות. בצהריים אכלנו יחד מרק ואחר כך חזרנו הביתה.",
}
CODECS = {'fr':'cp1252 latin_1 mac_roman cp850 cp500 utf_16_le utf_16_be utf_32_le utf_32_be utf_7 utf_8 utf_8_sig utf_16 utf_32',
'ru':'cp1251 koi8_r cp866 iso8859_5 mac_cyrillic utf_16_le utf_16_be utf_32_be utf_7 utf_8',
'el':'cp1253 iso8859_7 cp737 utf_16_le utf_16_be utf_7 utf_8',
'zh':'gbk gb18030 gb2312 hz utf_16_le utf_16_be utf_32_le utf_7 utf_8',
'tw':'big5 big5hkscs utf_16_le utf_16_be utf_7 utf_8',
'ja':'shift_jis euc_jp iso2022_jp iso2022_jp_1 iso2022_jp_2 iso2022_jp_3 iso2022_jp_2004 iso2022_jp_ext utf_16_le utf_16_be utf_7 utf_8',
'ko':'euc_kr cp949 johab iso2022_kr utf_16_le utf_16_be utf_32_be utf_7 utf_8',
'pl':'cp1250 iso8859_2 cp852 utf_16_le utf_7 utf_8',
'th':'cp874 utf_16_le utf_7 utf_8','he':'cp1255 cp862 utf_16_be utf_7 utf_8'}

with open(Path(sys.argv[1]) / "detect.jsonl", "w") as to:
    for language, text in TEXTS.items():
        for codec in CODECS[language].split():
            hex = text.encode(codec).hex()
            to.write(json.dumps({"codec": codec, "text": text, "bytes": hex}, ensure_ascii=False) + "\n")
