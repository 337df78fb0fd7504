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
    op aff'd rev'd ass'n int'l dep't gov't assoc educ admin bldg ctr bd tsp tbsp qt hwy rte lit
    ins elec ry mut hosp indus transp envtl fdn soc comm'n comm'r nat'l
    usw usf u.a u.ä o.ä v.chr n.chr chr e.v gr jh jhd jhdt std str mio mrd stk s.o s.u med phil jur jun sen hbf rspr
    hab av boul dép j.-c ltda cía cia ee.uu uds vds ud vd ecc s.r.l enz e.d a.u.b jl ll osv m.m m.fl f.d
    itd itp tys mln mld zł godz atd apod tis mil hod т.д т.п др г гг руб коп тыс млн млрд чел мин сек ч экз св вв н.э
    обл гор
    """
)
"""Abbreviations that end a sentence when a word follows that begins one."""

WITH_NUMBER = words(
    """
    no nos nr fig figs eq eqs tab ref refs sec secs sect ch chap vol vols ed eds art arts par para paras cl reg regs
    sch app ex exh p pp ff n nn l ll col cols pl suppl ser tel ext jan feb mar apr jun jul aug sep sept oct nov dec
    mon tue tues wed thu thur thurs fri sat sun amend var lit apt bd bde kap ziff rn rdn rdnr abb abs anh anl nrn pkt rm rz tz jg fn
    pág págs pag pagg núm núms cap caps artt capp blz afb str rys obr č ok рис табл гл ст п пп стр д кв корп
    """
)
"""Abbreviations that belong to the number, numeral or letter after them."""

ALSO_WORDS = words(
    "no nos art arts sec secs sat sun wed mon mar fig figs par ex app ed eds ref refs ser tab ch reg lit apt cap caps str ok abs"
)
"""Those of them that are words too: abbreviations before a number alone."""

LISTS = words("etc usw usf ecc enz itd itp atd apod osv т.д т.п")
"""What ends a list: before a capital it ends the sentence too."""

COUNTRIES = words("u.s u.s.a u.k u.n e.u u.s.s.r u.a.e d.c n.y l.a u.s.c b.v n.v s.a ee.uu")
"""What a capitalised word after it usually belongs to: only a word that begins sentences ends one here."""

COMPANIES = words("Inc Corp Co Ltd LLC Group Holdings KG KGaA OHG")
"""What goes on with a company's name: "Yahoo! Inc.", "Meier & Co. KG"."""

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

ENGLISH_TOO = words(
    """
    cap caps me mind doc eng gem geom mil mod os ok pr rag sig vet mm mw ir ing nat lat od hd np env ann cta trad tis
    arch av coll pl obs rn sv wg mons hod fasc
    """
)
"""Abbreviations of other languages that are words or units in English: none where no language was found."""

STARTERS_OF = {
    "de": words(
        """
        der die das den dem des ein eine einen einem einer eines er sie es wir ich ihr man dies diese dieser dieses dann
        danach da dort hier nun jetzt heute morgen gestern im in am an auf aus bei mit nach von vor zu zum zur für gegen
        ohne über unter und oder aber denn sondern doch wenn als ob weil obwohl damit dass daher deshalb dennoch jedoch
        auch nur noch nicht kein keine alle viele einige jede jeder jedes wer was wie wo wann warum ist sind war waren
        hat haben wird werden kann können muss müssen soll sollte seit bis durch um während trotz wegen zudem außerdem
        """
    ),
    "fr": words(
        """
        le la les l un une des du il elle ils elles on nous vous je ce cet cette ces c mais ou et donc or ni car si quand
        lorsque puis ensuite alors ainsi dans sur sous avec sans pour par en à au aux de d après avant depuis pendant
        selon tout tous toute toutes chaque certains plusieurs qui que quoi où comment pourquoi est sont était son sa
        ses leur leurs mon ma mes notre votre y enfin cependant toutefois pourtant
        """
    ),
    "es": words(
        """
        el la los las un una unos unas él ella ellos ellas yo tú usted nosotros este esta estos estas ese esa eso esto
        pero y o ni si cuando mientras luego después entonces así en con sin para por de del desde hasta según sobre
        tras entre todo todos toda cada algunos muchos no sí también además sin se su sus es son era fue hay qué quién
        cómo dónde cuándo ahora hoy ayer
        """
    ),
    "it": words(
        """
        il lo la i gli le l un uno una egli lui lei loro noi voi io questo questa questi queste quello quella ma e o se
        quando mentre poi dopo quindi allora così in con senza per da dal dalla di del nel nella su tra fra tutto tutti
        ogni alcuni molti non anche inoltre si suo sua è sono era ha che chi come dove perché ora oggi ieri
        """
    ),
    "pt": words(
        """
        o a os as um uma uns ele ela eles elas eu nós este esta esse essa isso isto mas e ou se quando enquanto depois
        então assim em no na nos nas com sem para por de do da desde até segundo sobre entre todo todos cada alguns
        muitos não também além seu sua é são era foi há que quem como onde agora hoje ontem
        """
    ),
    "nl": words(
        """
        de het een hij zij ze we wij ik je jij u dit dat deze die maar en of als toen dan daarna nu hier daar in op aan
        met zonder voor van door bij na tot uit over onder alle elke veel sommige niet geen ook er is zijn was waren
        heeft wordt kan moet wie wat hoe waar waarom wanneer
        """
    ),
    "sv": words("en ett den det de han hon vi jag ni du detta denna dessa men och eller om när då sedan nu här där i på"),
    "pl": words("on ona ono oni to ten ta te ale i a lub jeśli gdy kiedy potem następnie w na z do od po o jest są był nie"),
    "cs": words("on ona ono oni to ten ta ale a nebo když pak potom v na s z do od po o je jsou byl ne"),
    "ru": words(
        """
        он она оно они мы вы я ты это этот эта эти тот та те но и а или если когда потом затем тогда теперь здесь там в
        на с со из от до по к для без при над под за между после перед через все каждый многие некоторые не нет также
        кроме его её их был была было были есть будет кто что как где почему сегодня вчера завтра поэтому однако
        """
    ),
}  # fmt: skip
"""The same for other languages, by ISO 639-1 code."""

LETTER_UNITS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZΩabcdfghklmpstx")
"""Letters that are a unit or a label after a number; "u" and "o" are a German "and" and "or"."""

UNITS = words(
    "in ft yd mi oz lb lbs gal qt pt tsp tbsp min sec hr hrs yr yrs kg mg km cm mm ml cl dl std мин сек руб коп чел"
)
"""What ends a sentence after a number when a capital follows."""

AFTER_LETTERS = words("ct supp ed cas rptr appx va mex dak car app")
"""What goes on with a single letter: "12 S. Ct.", "W. Va."."""

STREETS = r"(?:St|Ave|Rd|Blvd|Dr|Ln|Ct|Pl|Pkwy|Hwy|Sq|Street|Avenue|Road|Boulevard|Drive|Lane|Court|Place|Way|Highway)"

AFTER_ORDINALS = words("januar februar märz mai juni juli oktober dezember jahrhundert jahrhunderts auflage")
"""What follows an ordinal in German though it begins with a capital; those that are German alone."""

MONTHS = words("april august september november")

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
