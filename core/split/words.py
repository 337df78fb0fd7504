"""What is known of words around a stop: which abbreviations may end a sentence, and which words begin one."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of ``text``, white space between them."""
    return frozenset(text.split())


MAY_END = words(
    """
    inc corp co ltd plc bros cie assn dept univ inst intl mfg mgmt govt natl s.a n.v b.v s.p.a jr sr esq
    ph.d m.d b.a m.a b.sc m.sc d.phil ll.b ll.m ll.d m.b.a al etc ibid id loc cit misc
    a.m p.m a.d b.c b.c.e c.e u.s u.s.a u.k u.n e.u u.s.s.r u.s.c u.a.e d.c n.y l.a
    calif mass conn ariz colo fla ga minn okla tenn tex va wis ave blvd rd st mt ft sq cu hr hrs yr yrs lb lbs oz gal
    max min est avg ext subsp sp spp var q.d b.i.d t.i.d q.i.d p.r.n i.v i.m s.c p.o supp stat ct cir app
    op aff'd rev'd ass'n int'l dep't gov't
    """
)
"""Abbreviations that end a sentence when a word follows that begins one."""

WITH_NUMBER = words(
    """
    no nos nr fig figs eq eqs tab ref refs sec secs sect ch chap vol vols ed eds art arts par para paras cl reg regs
    sch app ex exh p pp ff n nn l ll col cols pl suppl ser tel ext jan feb mar apr jun jul aug sep sept oct nov dec
    mon tue tues wed thu thur thurs fri sat sun amend var
    """
)
"""Abbreviations that belong to the number, numeral or letter after them."""

ALSO_WORDS = words("no nos art arts sec secs sat sun wed mon mar fig figs par ex app ed eds ref refs ser tab ch reg")
"""Those of them that are words too: abbreviations before a number alone."""

COUNTRIES = words("u.s u.s.a u.k u.n e.u u.s.s.r u.a.e d.c n.y l.a u.s.c b.v n.v s.a")
"""What a capitalised word after it usually belongs to: only a word that begins sentences ends one here."""

COMPANIES = words("Inc Corp Co Ltd LLC Group Holdings")
"""What goes on with a name that ends in "!": "Yahoo! Inc."."""

TIMES = words("a.m p.m")

AFTER_TIMES = words(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
    october november december eastern central mountain pacific est edt cst cdt mst mdt pst pdt gmt utc cet cest bst ist
    """
)
"""What follows a time of day without beginning a sentence."""

STARTERS = words(
    """
    a an the this that these those he she it they we you i his her its their our my your there here who what why how
    where when while whether which if as at after before since until once although though because unless despite during
    in on by for from to with without within under over upon between among against through across beyond about above
    below and but or nor so yet also then thus hence therefore however moreover furthermore meanwhile instead indeed
    nevertheless nonetheless similarly finally first second third next later soon now today yesterday tomorrow again
    some many most all each every both few several such other another any no not none nobody nothing everyone everything
    someone something anyone only even just still perhaps maybe please see note is are was were do does did can could
    will would should may might must has have had let according given based under its one two three four five six
    seven eight nine ten yes sometimes often usually generally ultimately additionally accordingly consequently
    """
)
"""Words that, with a capital, all but always begin a sentence."""

BEFORE_LETTERS = words(
    """
    model type class plan vitamin group section appendix figure table hepatitis size grade schedule exhibit phase
    building level part unit room gate block zone team series option point step item annex column row line valve
    pump sample set test case version category tier variant candidate product site station channel panel
    """
)
"""Words after which a single capital letter is a label, not the initial of a name."""

LABELS = words(
    """
    step figure fig table tab section sec chapter chap ch part article art clause cl rule phase stage question item note
    example ex exhibit appendix annex schedule lemma theorem proposition definition corollary remark case problem
    exercise lesson day week level option point principle paragraph para title volume vol book act scene task box
    equation eq schritt abbildung abb tabelle kapitel abschnitt artikel étape artículo capítulo capitolo
    """
)
"""Words that with a number make the label of what follows: "Step 1. Open the valve."."""

SAYING = (
    "said|says|asked|asks|cried|replied|answered|shouted|whispered|added|called|exclaimed|yelled|muttered|murmured|"
    "remarked|continued|insisted|explained|agreed|wrote|told|screamed|sighed|laughed|demanded|snapped|thought|wondered"
)

ORDINALS_WITH_STOP = words("de da nb no nn fi et cs sk sl hr hu tr pl is lv lt")
"""Languages (ISO 639-1) that write "5." for "5th"."""
