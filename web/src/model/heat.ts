// The heat scale: blue below the board's average, neutral at it, orange above. Blue and orange are told
// apart by every kind of colour vision, and the distance to neutral also shows in lightness.

/** Where a chance is on the scale from −1 (no mine) over 0 (the average) to 1 (a mine). */
export function heat(chance: number, average: number): number {
  const low = Math.min(Math.max(average, 0.02), 0.98);
  return chance <= low ? (chance - low) / low : (chance - low) / (1 - low);
}

/** The chance of a mine of a hidden cell that is picked at random, the flags not counted out. */
export function average(probabilities: readonly (readonly (number | null)[])[]): number {
  let sum = 0;
  let cells = 0;
  for (const row of probabilities) {
    for (const chance of row) {
      if (chance === null || chance === 0 || chance === 1) continue;
      sum += chance;
      cells++;
    }
  }
  return cells === 0 ? 0.5 : sum / cells;
}
