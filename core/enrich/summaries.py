"""Whether a node sums something up: by the headings above it, or by the words it begins with."""

from __future__ import annotations

import re
from functools import lru_cache

_HEADINGS = (
    # English
    r"(?:executive|management|brief|short|chapter|section|plain[ -]language|lay)? ?summar(?:y|ies)(?: of .+)?",
    r"abstract|(?:concluding|final|closing) (?:remarks|thoughts)|(?:main |overall )?conclusions?|synopsis",
    r"tl ?[;:,]? ?dr|(?:key )?take-?aways?|key (?:points|findings|messages)|in (?:summary|short|brief|a nutshell)|at a glance",
    # German
    r"(?:kurz|gesamt)?zusammenfassung|kurzfassung|fazit|resümee|schluss(?:folgerung(?:en)?|betrachtung(?:en)?|wort)",
    r"kernaussagen|das wichtigste in kürze|auf einen blick|in kürze|kernpunkte",
    # French
    r"résumé(?: exécutif| analytique)?|abrégé|(?:note de )?synthèse|en (?:bref|résumé)|points? clés?|à retenir|l['’]essentiel",
    # Spanish
    r"resumen(?: ejecutivo)?|conclusi(?:ón|ones)|síntesis|en resumen|(?:puntos|ideas) clave",
    # Italian
    r"riassunto|riepilogo|sintesi(?: esecutiva)?|conclusion[ei]|considerazioni conclusive|in (?:breve|sintesi)|punti chiave",
    # Portuguese
    r"resumo(?: executivo)?|sumário executivo|conclus(?:ão|ões)|considerações finais|em (?:resumo|síntese)|pontos[ -]chave",
    # Dutch
    r"(?:management)?samenvatting|conclusies?|kernpunten|kort samengevat|in het kort|slot(?:beschouwing|woord)",
    # Chinese, Japanese
    r"摘要|总结|總結|小结|小結|结论|結論|概要|要約|まとめ|要旨",
)
_AND_MORE = r"(?: (?:and|und|et|y|e|en|&) .+)?"
_HEADING = re.compile(rf"(?:{'|'.join(_HEADINGS)}){_AND_MORE}")
# "5.", "5.2", "V.", "A.1", "Chapter 5:", "§ 5"
_NUMBERED = re.compile(r"\A(?:chapter|section|kapitel|abschnitt|chapitre|capítulo|capitolo|hoofdstuk|teil|part)? ?"
                       r"[§#]? ?(?:(?:\d+|[a-z])(?:\.\d+)*[.):–—-]?|[ivx]+[.):–—-]) ")  # fmt: skip
_MARKS = re.compile(r"[*_`~#]+")
_OPENING = re.compile(
    r"[\s*_>#•“\"«-]*+(?:"
    r"(?:in (?:summary|conclusion|short|brief|sum)|to (?:summari[sz]e|sum (?:it )?(?:all )?up|conclude|recap)|summing up|summari[sz]ing"
    r"|en (?:résumé|conclusion|somme|bref|resumen|conclusión|síntesis|suma)|pour (?:résumer|conclure)"
    r"|(?:para|per) (?:resumir|concluir|riassumere|concludere)|in (?:sintesi|conclusione|breve)|riassumendo"
    r"|em (?:resumo|conclusão|suma|síntese)|resumindo|concluindo|kortom|kort gezegd|kurzum|kurz gesagt)[*_]*\s?[,:，]"
    r"|(?:zusammenfassend|zusammengefasst|samenvattend|samengevat|concluderend)\b"
    r"|tl[;:]?dr\b|(?:abstract|summary|conclusions?|zusammenfassung|fazit|résumé|resumen|resumo|riassunto|samenvatting)[*_]*\s?[:.—–]"
    r"|总之|總之|综上所述|綜上所述|总而言之|要するに|まとめると)",
    re.IGNORECASE,
)


def is_summary(text: str, headings: tuple[str, ...]) -> bool:
    """Whether ``text`` stands under a heading that announces a summary, or begins as one does."""
    return any(map(_announces, headings)) or _OPENING.match(text) is not None


@lru_cache(maxsize=4096)
def _announces(heading: str) -> bool:
    if len(heading) > 100:
        return False
    words = " ".join(_MARKS.sub("", heading).casefold().split())
    return _HEADING.fullmatch(_NUMBERED.sub("", words, count=1).strip(" .:!?–—-")) is not None
