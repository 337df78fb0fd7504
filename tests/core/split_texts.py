"""Texts of several fields with their sentences, one space between them; ``|`` stands where one ends."""

from __future__ import annotations

LAW = """
The tribunal cited Regulation No. 5 and Order No. 12 in its ruling. | Appeal No. 7 was dismissed.
See Roe v. Wade, 410 U.S. 113 (1973). | The holding was narrow.
Under 42 U.S.C. § 1983, the plaintiff must show state action. | He did not.
The court relied on Fed. R. Civ. P. 12(b)(6). | It granted the motion.
Art. 5 applies to all members. | Arts. 6 and 7 apply to none.
Pursuant to Sec. 4 of the Act, notice is due in 30 days. | Failure to give it is a breach.
The lease (see App. B) ends on Dec. 31, 2024. | The tenant may renew it.
Smith Corp. v. Jones Ltd. was decided in 1998. | Nobody appealed.
The parties are Acme Inc. and Beta Co. | They signed on Jan. 5.
See id. at 12. | The rest is dicta.
Counsel for the U.S. Government objected. | The judge overruled her.
The rule was adopted in the U.S. It has since been copied elsewhere.
Paragraph 3 of Cl. 7 is void. | Para. 4 stands.
The Hon. Judge Ruth Ek presided. | Mr. Ito represented the defendant, Mrs. Abe.
He was born in Washington, D.C. | He never left.
Defendant cites Johnson v. State, 88 S.W.2d 12 (Tex. App. 1990). | That case is different.
""".replace("in the U.S. It", "in the U.S. | It")

SCIENCE = """
As shown by Marlow et al. the drift is small. | Later work by Okafor et al. (2019) disagreed.
Fig. 3 shows the spectrum. | Figs. 4 and 5 show the residuals.
The value of pi is approx. 3.14159. | It is irrational.
Use a short probe, e.g. Kelvin type, or i.e. Something similar, when the line is live.
The strain E. coli K-12 was grown at 37 °C. | S. aureus was not.
We measured 5.2 mg/L vs. 4.8 mg/L in the control. | The difference was not significant (p = 0.12).
See Eq. 4 and Ref. 12 for details. | The proof is omitted.
The samples (n = 12, cf. Table 2) were dried. | They weighed 3.5 kg.
Version 2.0.1 fixes this. | Upgrade from v1.9.3 first.
Is the effect real? | We think so!
The reaction took 5 min. at room temperature. | The yield was 80%.
According to Darwin (cf. pp. 12-14), variation is random. | Selection is not.
Vitamin C. It is essential, unlike vitamin K.
The test used type A. | Type B. Nobody tried it.
Samples were taken in Jan. and Feb. | None were lost.
Dr. J. K. Nakamura and Prof. A. Lind wrote it. | Nature published it.
Data are at https://example.org/a.b?c=1. | The code is in main.py and run.sh.
""".replace("Vitamin C. It", "Vitamin C. | It").replace("Type B. Nobody", "Type B. | Nobody")

BUSINESS = """
Model A wears size S. | It fits well. | The crew works at Acme Inc. | They do not rest. | It ended… | Then silence. | We close at 6 p.m. | Come early.
Revenue rose 4.5% to $3.2 million. | Costs fell.
The meeting is at 9 a.m. Monday. | Bring the report.
Acme Corp. reported a loss. | Its shares fell 3%.
Please contact sales@example.com. | We answer within 2 days.
We ship to the U.K., the U.S., and Canada. | Other countries follow.
J. P. Morgan & Co. bought it. | The price was not disclosed.
Mr. Chen, the CFO of Beta Ltd., resigned. | No reason was given.
Call us at ext. 12. | Ask for Dr. Fox.
Q3 was strong. | Q4 was not. | Why?
The plan (see No. 3 above) was approved. | Work starts in Sept. 2025.
The firm makes pumps, valves, etc. | It employs 40 people.
He said no. | Then he left.
Are you sure? | Yes. | We checked twice.
Founded by John F. Kennedy Jr. in 1995, it closed in 2001. | It is missed.
Open the file README.md. | Edit config.yaml next.
He lives on Main St. | The shop is on 5th Ave. | She works in St. Louis.
The deal closed at 5 p.m. EST on Friday. | Nobody was surprised.
"""

DIALOGUE = """
We waited... | Nothing came. | "Perhaps . . . never", she said. | She asked, "Is it over?" | He nodded. | (It was late.) | “Stop!” he cried. | Nobody spoke.
"I am late," he said. | "Very late."
"Where are you going?" asked Tom. | "Home."
“Wait!” John shouted. | “The door is open.”
He paused... and went on. | She laughed.
"Really?!" | He could not believe it.
"No. | I won't," she said. | Then she left.
I... I do not know. | Ask her.
‘Go away!’ said the old man. | We went.
"Mr. Ito, please!" she called. | "Dr. Abe is waiting."
She whispered, “It is Mr. Hyde.” | Nobody moved.
He said (and I quote): "Never again." | We believed him.
Oh well… whatever. | It is done.
"It works." | That was all he said.
"""

TECHNICAL = """
1. Open the valve. | 2. Read the gauge. | 3. Close it.
Step 1. Remove the cover. | Step 2. Clean the filter.
Restart the server. | Then run a.out and check 127.0.0.1. | It should answer.
Node.js 18.2 is required. | ASP.NET is not.
Set x to 0.5. | Leave y at 1.
Use a No. 2 Phillips screwdriver. | Do not force it.
The file is at C:\\temp\\a.txt. | Delete it.
It failed twice (error no. 5). | The log says more.
Type the command, i.e. the one above. | Press Enter.
a. Loosen the bolt. | b. Lift the lid.
The tank holds 5 gal. of oil. | It is full.
""".replace("a. Loosen", "a. Loosen")

ENGLISH = {
    field: [tuple(text.split(" | ")) for text in texts.strip().splitlines()]
    for field, texts in
    {"law": LAW, "science": SCIENCE, "business": BUSINESS, "dialogue": DIALOGUE, "technical": TECHNICAL}.items()
}  # fmt: skip
