/** The two parts of the X-ray as they stand on the page now: what is tried in one, the other shows. */
export const parts = { ladders: null, clauses: null };
