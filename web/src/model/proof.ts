// A proof as the service tells it, cut into the steps that it is made of: one thought each, so that a reader can go
// through them with the clues of each lit. The claim itself is the title above them and is not repeated.

export interface Steps {
  /** The rules that are used, as the claim names them: `rules 2 and 1`. */
  readonly rules: string | null;
  readonly steps: readonly string[];
}

/** `r0c2 is safe (rule 4)`, followed by its proof, or by the clues of a longer one. */
const CLAIM = /^r\d+c\d+ is (?:safe|a mine|undecided)(?: \((rules? [^)]*)\))?(?:: |, by (.*):$)/;

export function steps(text: readonly string[]): Steps {
  const lines = text.map((line) => line.trim());
  const claim = CLAIM.exec(lines[0] ?? '');
  if (claim === null) return { rules: null, steps: lines };
  const rest = lines[0]!.slice(claim[0].length);
  const first = claim[2] === undefined ? clauses(rest) : [`look at ${claim[2]}`];
  return { rules: claim[1] ?? null, steps: [...first, ...lines.slice(1)] };
}

/** A sentence at its semicolons, but for those inside brackets. */
function clauses(sentence: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < sentence.length; at++) {
    if (sentence[at] === '(') depth++;
    else if (sentence[at] === ')') depth--;
    else if (sentence[at] === ';' && depth === 0) {
      found.push(sentence.slice(from, at).trim());
      from = at + 1;
    }
  }
  return [...found, sentence.slice(from).trim()].filter((each) => each !== '');
}
