"""Words that stand in every text, by the language they are written in (ISO 639-1): they name and mean nothing by themselves."""

from __future__ import annotations

from collections.abc import Mapping

STOP_WORDS: Mapping[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "en": """
    a about above according across actually after again against ago all almost along already also although always am among
    an and another any anyone anything are aren around as at away back be became because become been before being below
    between both but by came can cannot com come could couldn did didn do does doesn doing don done down during each either else
    enough etc even ever every everything few first following for from further gave get gets getting give given go goes going
    gone got had hadn has hasn have haven having he hence her here hers herself him himself his how however http https i if in
    indeed instead into is isn it its itself just keep kept last later least less let like likely ll made mainly make makes
    making many may maybe me might mine more moreover most mostly much must my myself near need neither never nevertheless no
    none nor not nothing now of off often on once one only onto or org other others our ours ourselves out over own part per
    perhaps put quite rather re really said same saw say says second see seem seemed seems seen several shall she should
    shouldn show shown shows since so some something sometimes soon still such take taken tell than that the their theirs
    them themselves then there therefore these they thing things this those though through thus till to together too took
    toward towards two under unless until up upon us use used uses using usually various ve very via want was wasn way we well
    went were weren what whatever when where whether which while who whole whom whose why will with within without won would
    wouldn www yes yet you your yours yourself three four five six seven eight nine ten""",
        "de": """
    ab aber alle allein allem allen aller alles als also am an andere anderem anderen anderer anderes ans auch auf aufgrund aus
    außer außerdem bei beide beiden beim bereits bevor bis bisher bzw da dabei dadurch dafür dagegen daher dahin damals damit danach dann
    daran darauf daraus darf darin darüber darum das dass davon dazu dein deine dem den denen denn dennoch der deren derer
    des deshalb dessen dich die dies diese diesem diesen dieser dieses dir doch dort du durch dürfen eben ebenso ein eine
    einem einen einer eines einige einigen einiger einmal er erst erste ersten es etwa etwas euch falls fast für ganz gar gegen
    geht gemacht genau gibt ging hab habe haben hat hatte hatten her hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren
    ihrer im immer in indem innerhalb ins ist ja je jede jedem jeden jeder jedes jedoch jene jetzt kam kann kein keine keinem keinen
    keiner kommt können könnte konnte lassen lässt machen macht mal man mehr mein meine meinem meinen meiner meist mich mir mit
    möchte muss müssen nach nachdem nein nicht nichts noch nun nur ob oben oder oft ohne schon sehr sei seien sein seine
    seinem seinen seiner seit selbst sich sie siehe sind so sobald sodass sogar solche soll sollen sollte sollten somit
    sondern sonst soweit sowie sowohl über um und uns unser unsere unserem unseren unserer unten unter usw viel viele vielen vom
    von vor vorher wann war waren warum was weder wegen weil weiter weitere weiteren welche welchem welchen welcher wenig weniger
    wenn wer werde werden wie wieder wir wird wo wobei wollen worden wurde wurden während wäre würde würden zu zum zur zwar
    zwei drei vier fünf zehn zwischen zudem""",
        "fr": """
    à afin ai ainsi alors après as au aucun aucune aujourd aura aussi autre autres aux avaient avait avant avec avez avoir
    avons ayant beaucoup bien c car ce ceci cela celle celles celui cependant ces cet cette ceux chaque chez chose ci comme
    comment contre d dans de déjà depuis des deux dire doit doivent donc dont du elle elles en encore enfin entre es est et étaient
    était étant été être eu eux fait faire faut fois font grâce hui ici il ils j je jusqu jusque l la là laquelle le lequel les lesquelles
    lesquels leur leurs lors lorsque lui m ma mais malgré me même mêmes mes mieux moi moins mon n ne ni non nos notre nous
    on ont ou où par parce parmi pas pendant peu peut peuvent plus plusieurs plutôt pour pourquoi pourtant près puis puisque qu quand que
    quel quelle quelles quelque quelques quels qui quoi s sa sans sauf se selon sera seront ses seulement si sien soit sommes
    son sont sous souvent suis sur t ta tandis te tel telle telles tels tes toi ton toujours tous tout toute toutefois toutes très trop tu un
    une vers voici voilà vont vos votre vous vu y trois quatre cinq""",
        "es": """
    a además ahí ahora al algo alguien algún alguna algunas alguno algunos allí ambos ante antes aquel aquella aquellas
    aquello aquellos aquí así aún aunque bajo bien cada casi como cómo con contra cosa cual cuál cuales cualquier cuando cuándo cuanto
    de debe deben debido del desde después donde dónde dos durante e el él ella ellas ello ellos en entonces entre era eran
    eres es esa esas ese eso esos esta está están estas este esto estos estaba estaban estamos estar fue fueron fui gran ha había
    habían haber hace hacen hacer hacia han has hasta hay he hecho hoy incluso la las le les lo los luego más me mediante
    menos mi mí mientras mis misma mismas mismo mismos mucha muchas mucho muchos muy nada ni ningún ninguna no nos nosotros
    nuestra nuestras nuestro nuestros nunca o os otra otras otro otros para pero poco por porque pueda puede pueden pues que
    qué quien quién quienes se sea sean según ser será serán si sí sido siempre siendo sin sino sobre sólo solo son soy su
    sus suya suyo tal tales también tampoco tan tanto te tener tengo tenía ti tiene tienen toda todas todavía todo todos tras
    tu tus un una unas uno unos usted ustedes va van varias varios veces vez y ya yo tres cuatro cinco""",
        "it": """
    a abbiamo ad agli ai al alcun alcuna alcune alcuni alla alle allo allora altra altre altri altro anche ancora anzi
    appena aver avere aveva avevano ben bene c che chi ci ciascuno ciò cioè circa coi col come comunque con contro cosa così
    cui d da dagli dai dal dalla dalle dallo davanti de degli dei del dell della delle dello dentro deve devono di dopo dove
    due dunque durante e è ed era erano essa esse essere essi fa fare fino fra fu furono già gli ha hai hanno ho i il in
    infatti insieme inoltre invece io l la là le lei li lo loro lui ma mai me meno mentre mi mia mie miei mio molta molte
    molti molto né negli nei nel nell nella nelle nello nessun nessuna nessuno niente noi non nostra nostre nostri nostro
    nulla o od oggi ogni ognuno oltre oppure ora per però perché più poco poi poiché prima primo proprio può possono qua qual
    quale quali qualche quando quanto quasi quel quella quelle quelli quello questa queste questi questo qui quindi sarà saranno se
    secondo sei sembra sempre senza si sia siamo siano sono sopra sotto stata state stati stato su sua sue sugli sui sul sull
    sulla sulle suo suoi tale tali tanto te ti tra tramite troppo tu tua tuo tutta tutte tutti tutto un una uno va verso vi voi tre quattro cinque""",
        "pt": """
    a à agora ainda além alguém algum alguma algumas alguns ali ambos antes ao aos apenas após aquela aquelas aquele aqueles
    aqui aquilo as às assim até através bem cada com como contra contudo cuja cujo da daquele das de dela delas dele deles
    depois desde dessa desse desta deste deve devem do dois dos durante e é ela elas ele eles em embora enquanto então entre era
    eram essa essas esse esses esta está estão estas estava este estes estou eu faz fazer foi for foram fosse há isso isto já la lhe
    lhes lo logo mais mas me mediante meio menos mesma mesmas mesmo mesmos meu meus minha muita muitas muito muitos na nada não nas
    nem nenhum nenhuma nessa nesse nesta neste no nos nós nossa nossas nosso nossos num numa nunca o onde os ou outra outras outro outros
    para pela pelas pelo pelos per perante pode podem pois por porém porquanto porque pouco pouca próprio qual quais qualquer
    quando quanto quase que quem são se seja sejam sem sempre sendo ser será serão seu seus si sido sob sobre sua suas tal também
    tampouco tanto te tem têm tendo ter teve tinha toda todas todavia todo todos tudo um uma umas uns vai vão vários vez
    vezes você vocês três quatro cinco""",
        "nl": """
    aan aangezien achter af al alle alleen alles als altijd ander andere anders beide ben bent bij bijna binnen boven bovendien
    dan daar daarbij daardoor daarmee daarna daarom dat de deze die dit doch doen doet dus door dezelfde echter een eens
    eerst eerste elk elke en enige enkele er erg even gaan gaat ge geen gedurende geweest had hadden heb hebben hebt heeft hem hen het hier hij hoe
    hoewel hun iemand iets ik in is ja je jij jou jouw jullie kan kon konden kunnen kunt maar mag meer meest men met mij mijn moest
    moet moeten mogen na naar nadat niet niets niks nog nogal nooit nu of om omdat onder ons ook onze op over overal per reeds samen
    sinds slechts sommige soms te tegen ten ter terwijl toch toen tot tussen twee uit uw vaak van vanaf vanwege veel verder
    via vol voor voordat vooral waar waarbij waardoor waarin waarmee waarom wanneer want waren was wat we weer wel werd werden
    welke wie wij wil worden wordt zal ze zeer zei zelf zelfs zich zij zijn zo zoals zonder zou zouden zowel drie vier vijf""",
    }.items()
}


def of(language: str) -> frozenset[str]:
    """The stop words of ``language``, in small letters; English ones where none are listed: those turn up anywhere."""
    return STOP_WORDS.get(language, STOP_WORDS["en"])
