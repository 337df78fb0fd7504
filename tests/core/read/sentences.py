"""Three sentences in each of many languages, and the encodings they were once written in."""

from __future__ import annotations

from typing import NamedTuple


class Sample(NamedTuple):
    language: str
    encodings: tuple[str, ...]
    sentences: tuple[str, str, str]


SAMPLES = (
    Sample(
        "de",
        ("cp1252", "iso8859-15", "mac-roman", "cp850", "cp437"),
        (
            "Der Prüfer öffnete die Tür und schloss das Ventil.",
            "Die Straße war wegen größerer Übungen für Fußgänger gesperrt.",
            "Wir müssen die Maßnahmen bis Ende März überprüfen.",
        ),
    ),
    Sample(
        "fr",
        ("cp1252", "iso8859-15", "mac-roman", "cp850"),
        (
            "Le contrôleur a été prévenu de la fermeture de la vanne.",
            "Où est passée la clé à molette que j'avais laissée là ?",
            "Les élèves préfèrent déjeuner à la cafétéria près de l'école.",
        ),
    ),
    Sample(
        "es",
        ("cp1252", "iso8859-15", "mac-roman", "cp850", "cp437"),
        (
            "El señor García cerró la válvula mañana por la mañana.",
            "¿Dónde está la llave que dejé aquí ayer?",
            "La reunión comenzará después de la comida, según el programa.",
        ),
    ),
    Sample(
        "pt",
        ("cp1252", "iso8859-15", "mac-roman", "cp850"),
        (
            "A reunião começará às três horas na sala de conferências.",
            "O relatório não está disponível, mas será publicado amanhã.",
            "Você já fez a inspeção das válvulas de segurança?",
        ),
    ),
    Sample(
        "it",
        ("cp1252", "iso8859-15", "mac-roman", "cp850"),
        (
            "La città è più bella perché c'è il mare.",
            "Il signor Rossi verrà lunedì, però non sarà solo.",
            "La libertà è una virtù che va difesa così com'è.",
        ),
    ),
    Sample(
        "sv",
        ("cp1252", "iso8859-15", "mac-roman", "cp850"),
        (
            "Mötet börjar klockan tre på eftermiddagen.",
            "Ventilen måste stängas före underhållet.",
            "Vi åkte till Göteborg för att träffa våra vänner.",
        ),
    ),
    Sample(
        "da",
        ("cp1252", "iso8859-15", "mac-roman", "cp850"),
        (
            "Mødet begynder klokken tre om eftermiddagen på rådhuset.",
            "Ventilen skal lukkes, før arbejdet påbegyndes.",
            "Vi spiste rødgrød med fløde og så på fuglene i søen.",
        ),
    ),
    Sample(
        "no",
        ("cp1252", "iso8859-15", "mac-roman"),
        (
            "Møtet begynner klokken tre på ettermiddagen.",
            "Ventilen må stenges før vedlikehold.",
            "Vi så på været og bestemte oss for å gå hjem på lørdag.",
        ),
    ),
    Sample(
        "fi",
        ("cp1252", "iso8859-15", "mac-roman", "cp850"),
        (
            "Kokous alkaa kello kolme iltapäivällä.",
            "Venttiili täytyy sulkea ennen huoltoa.",
            "Hän söi päivällistä ystävänsä kanssa järven rannalla.",
        ),
    ),
    Sample(
        "nl",
        ("cp1252",),
        (
            "De geëxporteerde gegevens zijn één voor één gecontroleerd.",
            "België heeft drie officiële talen.",
            "De coördinatie van de reünie was uitstekend.",
        ),
    ),
    Sample(
        "is",
        ("cp1252",),
        (
            "Fundurinn hefst klukkan þrjú síðdegis í ráðhúsinu.",
            "Það verður að loka lokanum áður en viðhald hefst.",
            "Ég ætla að fara út að ganga með hundinn á morgun.",
        ),
    ),
    Sample(
        "en",
        ("cp1252", "mac-roman"),
        (
            "The café on the corner serves “good” coffee — at a price.",
            "It’s the manager’s résumé, he said; don’t lose it.",
            "The naïve approach costs £12 or €14 – take your pick.",
        ),
    ),
    Sample(
        "pl",
        ("cp1250", "iso8859-2", "cp852"),
        (
            "Zażółć gęślą jaźń, proszę państwa.",
            "Spotkanie rozpocznie się o godzinie trzeciej po południu.",
            "Zawór musi zostać zamknięty przed przystąpieniem do konserwacji urządzeń.",
        ),
    ),
    Sample(
        "cs",
        ("cp1250", "iso8859-2", "cp852"),
        (
            "Příliš žluťoučký kůň úpěl ďábelské ódy.",
            "Schůze začíná ve tři hodiny odpoledne.",
            "Před údržbou je třeba uzavřít ventil a odpojit přívod elektřiny.",
        ),
    ),
    Sample(
        "sk",
        ("cp1250", "iso8859-2"),
        (
            "Stretnutie sa začína o tretej hodine popoludní.",
            "Pred údržbou musí byť ventil uzavretý a prívod odpojený.",
            "Môžete mi povedať, kde je najbližšia železničná stanica?",
        ),
    ),
    Sample(
        "hu",
        ("cp1250", "iso8859-2", "cp852"),
        (
            "Az értekezlet délután három órakor kezdődik.",
            "A szelepet karbantartás előtt el kell zárni.",
            "Árvíztűrő tükörfúrógép, mondta a főnök nevetve.",
        ),
    ),
    Sample(
        "hr",
        ("cp1250", "iso8859-2"),
        (
            "Sastanak počinje u tri sata poslijepodne.",
            "Ventil mora biti zatvoren prije održavanja.",
            "Žao mi je što nisam mogao doći na tvoj rođendan.",
        ),
    ),
    Sample(
        "sl",
        ("cp1250",),
        (
            "Sestanek se začne ob treh popoldne.",
            "Pred vzdrževanjem je treba zapreti ventil.",
            "Žal mi je, da nisem mogel priti na tvojo rojstnodnevno zabavo, prišel bom pozneje.",
        ),
    ),
    Sample(
        "ro",
        ("cp1250", "iso8859-2"),
        (
            "Şedinţa începe la ora trei după-amiază.",
            "Supapa trebuie închisă înainte de întreţinere.",
            "Îmi pare rău că nu am putut să vin la ziua ta.",
        ),
    ),
    Sample(
        "tr",
        ("cp1254", "iso8859-9"),
        (
            "Toplantı öğleden sonra saat üçte başlayacak.",
            "Bakımdan önce vananın kapatılması gerekir.",
            "Çocuklar bahçede oynarken yağmur yağmaya başladı.",
        ),
    ),
    Sample(
        "lt",
        ("cp1257",),
        (
            "Susitikimas prasideda trečią valandą po pietų.",
            "Prieš techninę priežiūrą vožtuvas turi būti uždarytas.",
            "Šiandien labai gražus oras, todėl eisime pasivaikščioti.",
        ),
    ),
    Sample(
        "lv",
        ("cp1257",),
        (
            "Sanāksme sākas pulksten trijos pēcpusdienā.",
            "Pirms apkopes vārstam jābūt aizvērtam.",
            "Šodien ir ļoti skaists laiks, tāpēc mēs iesim pastaigāties.",
        ),
    ),
    Sample(
        "et",
        ("cp1257",),
        (
            "Koosolek algab pärastlõunal kell kolm.",
            "Enne hooldust tuleb klapp sulgeda.",
            "Täna on väga ilus ilm, nii et läheme jalutama šokolaadi järele.",
        ),
    ),
    Sample(
        "ru",
        ("cp1251", "koi8-r", "iso8859-5", "cp866", "mac-cyrillic"),
        (
            "Совещание начнётся в три часа дня.",
            "Перед обслуживанием клапан должен быть закрыт.",
            "Пожалуйста, принесите с собой паспорт и билет.",
        ),
    ),
    Sample(
        "uk",
        ("cp1251", "koi8-u"),
        (
            "Нарада розпочнеться о третій годині дня.",
            "Перед обслуговуванням клапан має бути закритий.",
            "Будь ласка, візьміть із собою паспорт і квиток, її немає.",
        ),
    ),
    Sample(
        "bg",
        ("cp1251",),
        (
            "Срещата започва в три часа следобед.",
            "Преди поддръжка клапанът трябва да бъде затворен.",
            "Моля, носете със себе си паспорт и билет.",
        ),
    ),
    Sample(
        "sr",
        ("cp1251",),
        (
            "Састанак почиње у три сата поподне.",
            "Вентил мора бити затворен пре одржавања.",
            "Молимо вас да понесете пасош и карту.",
        ),
    ),
    Sample(
        "el",
        ("cp1253", "iso8859-7"),
        (
            "Η συνάντηση αρχίζει στις τρεις το απόγευμα.",
            "Η βαλβίδα πρέπει να κλείσει πριν από τη συντήρηση.",
            "Παρακαλώ φέρτε μαζί σας το διαβατήριο και το εισιτήριο.",
        ),
    ),
    Sample(
        "he",
        ("cp1255",),
        ("הפגישה מתחילה בשעה שלוש אחר הצהריים.", "יש לסגור את השסתום לפני התחזוקה.", "נא להביא איתכם דרכון וכרטיס."),
    ),
    Sample(
        "ar",
        ("cp1256",),
        (
            "يبدأ الاجتماع في الساعة الثالثة بعد الظهر.",
            "يجب إغلاق الصمام قبل الصيانة.",
            "يرجى إحضار جواز السفر والتذكرة.",
        ),
    ),
    Sample(
        "fa",
        ("utf-8",),
        (
            "جلسه ساعت سه بعد از ظهر شروع می\u200cشود.",
            "لطفا گذرنامه و بلیت خود را همراه بیاورید.",
            "پیش از تعمیر باید شیر را ببندید.",
        ),
    ),
    Sample("th", ("cp874",), ("การประชุมเริ่มเวลาบ่ายสามโมง", "กรุณานำหนังสือเดินทางและตั๋วมาด้วย", "ต้องปิดวาล์วก่อนการบำรุงรักษา")),
    Sample(
        "ja",
        ("cp932", "euc_jp", "iso2022_jp_2"),
        ("会議は三時に始まります。", "資料は届きましたか？", "保守点検の前にバルブを閉めてください。"),
    ),
    Sample(
        "zh",
        ("gb18030",),
        ("会议三点钟开始，请准时参加。", "请在维护之前关闭阀门。", "请携带护照和机票，谢谢您的合作。"),
    ),
    Sample(
        "zh", ("big5",), ("會議三點鐘開始，請準時參加。", "請在維護之前關閉閥門。", "請攜帶護照和機票，謝謝您的合作。")
    ),
    Sample(
        "ko",
        ("cp949",),
        ("회의는 오후 세 시에 시작합니다.", "정비 전에 밸브를 닫아야 합니다.", "여권과 항공권을 가져오시기 바랍니다."),
    ),
)
