// ---------------------------------------------------------------- what stands on the ladders, and what became of it
import { number } from "./dom.js";

/** Which clauses count, and the ladder they give; `what` is null for all, else one clause alone, or all the others. */
export function scene(data, what) {
  const every = data.clauses.map((_, number) => number);
  if (!what) return { on: every, places: data.filtered, title: "With the filter", passing: data.matching };
  const clause = data.clauses[what.clause], alone = what.mode === "alone";
  return {
    on: alone ? [what.clause] : every.filter((number) => number !== what.clause), places: clause[what.mode],
    title: `${alone ? "With only" : "With all but"} ${clause.words}`, passing: alone ? clause.matching : clause.without,
  };
}

/** The rungs of both ladders, each with what became of it. */
export function rungsOf(data, { on, places }) {
  const ranks = new Map(places.map(([position], at) => [position, at + 1]));
  const left = data.unfiltered.map(([position, score, rejected], at) => {
    const by = rejected.filter((number) => on.includes(number)), rank = at + 1, now = ranks.get(position);
    const fate = by.length || !now ? "excluded" : now === rank ? "kept" : "displaced";
    const said = by.length ? `struck by ${by.map((number) => data.clauses[number].words).join(" · ")}` : fate === "displaced" ? moved(rank, now, "to", now) : fate;
    return { position, score, rank, fate, said };
  });
  const right = places.map(([position, score, before], at) => {
    const rank = at + 1, fate = before > data.unfiltered.length ? "promoted" : before === rank ? "kept" : "displaced";
    const said = fate === "promoted" ? `promoted from #${number(before)}` : fate === "displaced" ? moved(before, rank, "from", before) : fate;
    return { position, score, rank, fate, said };
  });
  return { left, right };
}

const moved = (before, after, word, rank) => `${after < before ? "up" : "down"} ${word} #${number(rank)}`;
