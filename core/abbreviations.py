"""Words whose stop ends no sentence, or not always."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _unlike(words: Iterable[str]) -> tuple[str, ...]:
    """``words`` without those that differ from one before in case alone."""
    found: dict[str, str] = {}
    for word in words:
        found.setdefault(word.lower(), word)
    return tuple(found.values())


ABBREVIATIONS_BY_LANGUAGE: Mapping[str, tuple[str, ...]] = {
    "en": _listed(
        """
    Mr Mrs Ms Mx Dr Drs Prof St Sr Jr Fr Hon Rev Gov Pres Sen Rep Reps Gen Col Maj Capt Cpt Cmdr Lt Sgt Cpl Pvt Adm Brig
    Supt Insp Det Msgr Messrs Mme Mlle Esq Ph.D M.D B.A M.A B.Sc M.Sc D.Phil LL.B LL.M LL.D M.B.A
    Inc Corp Co Ltd Plc Bros Cie Assn Assoc Dept Univ Inst Intl Mfg Mgmt Dir Govt Natl Bd Educ Admin Asst Bldg Ctr Rm
    Ins Elec Ry Mut Hosp Indus Transp Envtl Fdn Soc Comm'n Comm'r Nat'l
    S.A N.V B.V S.p.A
    e.g i.e cf vs v viz al etc ibid id op cit loc approx ca incl excl resp esp abbr max min avg est encl attn
    No Nos Nr Fig Figs Eq Eqs Tab Ref Refs Sec Secs Sect Ch Chap Vol Vols Ed Eds Art Arts Par Para Paras Cl Reg Regs
    Sch App Ex Exh p pp ff nn ll lit med Suppl Ser tel ext Apt Ste Hwy Rte
    Cir Ct Cal Rptr Supp Stat Proc Crim Civ Evid Fed Const Amend F.Supp Cert Aff'd Rev'd Ass'n Int'l Dep't Gov't
    a.m p.m A.D B.C B.C.E C.E U.S U.S.A U.K U.N E.U U.S.S.R U.S.C U.A.E D.C N.Y L.A Calif Mass Conn Ariz Colo Fla Ga
    Minn Okla Tenn Tex Va Wis
    Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun
    Ave Blvd Rd Ln Pkwy Mt Ft sq cu hr hrs yr yrs lb lbs oz gal tsp tbsp qt sp spp subsp var
    i.v i.m p.o s.c b.i.d t.i.d q.i.d q.d p.r.n temp conc
    """
    ),
    "de": _listed(
        """
    Abb Abf Abk Abs Abschn Abt Anh Anl Anm Aufl Ausg Az Bd Bde Bez bspw bzgl bzw Chr d.h d.i Dipl Doz ebd ehem
    einschl entspr erg etc evtl exkl e.V Forts Fr frz geb gegr gem ges gest ggf ggü Gr griech h.c habil Hbf Hd Hrn Hr
    hrsg Hrsg i.A i.d.R i.V i.S i.S.d i.V.m inkl insb insbes Ing Inh Jh Jhd Jhdt jur Jun Kap kath Kfm kfm lat lfd lit
    lt Ltg m.E m.W max med Mio Mrd min mind Mod n.Chr nat Nr Nrn o.Ä o.ä o.g od östl oec pädag phil Pkt Prof qm
    Rdn Rdnr Rn rer resp Rspr s.o s.u scil sen sog Std stellv Stk Str südl tägl techn Tel theol Tsd u.a u.ä u.U Urt
    Beschl Entsch Rz Tz Jg Drs Drucks Slg Fn dent usf usw u.v.m v.a v.Chr Verf Verl vet vgl Vgl vorm Vors vs westl Wwe
    z.B z.T z.Hd z.Zt zit Ziff zus zw zzgl zzt
    """
    ),
    "fr": _listed(
        """
    MM Mme Mmes Mlle Mlles Dr Pr Me Mgr St Ste p ex c.-à-d cf env av apr J.-C art al chap fig éd édit coll vol tél
    réf n° nº no bd boul av hab dép min max ann suppl sq sqq ibid id op cit trad préf fasc pl obs
    """
    ),
    "es": _listed(
        """
    Sr Sra Sres Sras Srta Srtas Sto Sta Dña Dr Dra Dres Prof Profa Lic Ing Arq Ud Uds Vd Vds Mons Fr S.A Ltda Cía núm núms
    pág págs art arts cap caps ed eds vol vols fig figs tel tfno Avda av dpto aprox ej p.ej etc EE.UU a.C d.C admón cta
    pza ctra izq dcha máx mín Excmo Excma Ilmo Ilma Gral Cnel Tte
    """
    ),
    "it": _listed(
        """
    sig sigg sigra dott dottssa prof profssa avv ing arch geom rag sen mons pag pagg art artt cap capp ecc fig
    nn vol voll tab cfr ca tel S.p.A S.r.l a.C d.C p.es c.d c.m max min
    """
    ),
    "pt": _listed(
        """
    Sr Sra Srs Sras Srta Dr Dra Drs Prof Profa Eng Exmo Exma Ilmo Ilma Cia Ltda S.A núm pág págs art arts cap fig ed
    vol tel av etc p.ex aprox
    """
    ),
    "nl": _listed(
        """
    dhr mevr mw dr drs ir ing mr prof bijv bv blz enz evt ca nr nrs afb tel incl excl max min resp vgl zgn art jl ll
    o.a d.w.z m.b.t t.a.v n.a.v i.v.m i.p.v t.o.v a.u.b e.d
    """
    ),
    "sv": _listed("bl.a t.ex d.v.s dvs osv m.m m.fl s.k f.d fr.o.m t.o.m ca kl nr jfr resp inkl exkl tel"),
    "pl": _listed("np tzn tzw tj m.in itd itp ul al pl os prof dr hab inż mgr św wg ok godz zł tys mln mld nr str rys tab"),
    "cs": _listed("např tzv tj atd apod č str obr tab ul nám prof doc ing mgr sv hod tis mil mld popř resp příp"),
    "ru": _listed(
        """
    ул просп пр пер пл наб бул ш д дом корп стр кв оф г гг гор с пос дер обл р-н им т.е т.к т.д т.п т.н др пр проф акад
    доц канд ред изд рис табл гл ст п пп см ср напр соч вып кн тыс млн млрд руб коп чел экз мин сек ч тел факс св
    г-н г-жа тов о-в в вв н.э
    """
    ),
    "hi": _listed(
        """
    डॉ डा श्री श्रीमती सुश्री प्रो पं कु स्व इंजी एड रु नं पृ सं मो ए बी सी डी ई एफ एच जे के एल एम एन ओ पी क्यू आर एस टी यू वी एक्स
    """
    ),
    "bn": _listed("ড ডা ডঃ মো মোঃ প্রফ অধ্যা"),
}  # fmt: skip
"""Words whose stop ends no sentence, or not always, by the language they are written in (ISO 639-1)."""

ABBREVIATIONS = _unlike(word for words in ABBREVIATIONS_BY_LANGUAGE.values() for word in words)
"""All of them, without that stop: what Punkt's parameters know too little of."""
