// Chances as text. What is not certain is never rounded to 0 or 100.

/** The sign, which never begins a line of its own. */
const UNIT = '\u00a0%';

/** A chance in whole percents, short enough for a cell: `<1` and `>99` where rounding would lie. */
export function short(chance: number, certain = chance === 0 || chance === 1): string {
  const rounded = Math.round(chance * 100);
  if (!certain && rounded <= 0) return '<1';
  if (!certain && rounded >= 100) return '>99';
  return String(rounded);
}

/** A chance with a decimal, and with more of them where it is close to 0 or to 1: `95.8 %`, `0.02 %`. */
export function percent(chance: number, certain = chance === 0 || chance === 1): string {
  if (certain) return `${Math.round(chance * 100)}${UNIT}`;
  for (let digits = 1; digits <= 4; digits++) {
    const text = (chance * 100).toFixed(digits);
    if (Number(text) > 0 && Number(text) < 100) return `${text}${UNIT}`;
  }
  return (chance < 0.5 ? '< 0.0001' : '> 99.9999') + UNIT;
}

/** A standard error in points, as `± 2.4`; empty where a chance is exact. */
export function plusMinus(error: number): string {
  if (error <= 0) return '';
  const points = error * 100;
  return `± ${points < 0.05 ? '< 0.1' : points.toFixed(1)}`;
}

/** Seconds as a clock shows them: `0:07.3`, `12:05`. */
export function clock(seconds: number, tenths = false): string {
  const whole = Math.floor(seconds);
  const text = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
  return tenths ? `${text}.${Math.floor((seconds - whole) * 10)}` : text;
}

/** A large count in words that fit: the digits while they are few, then a power of ten. */
export function count(solutions: string, log10: number | null): string {
  if (solutions.length <= 9) return solutions.replace(/\B(?=(\d{3})+$)/g, ' ');
  const log = log10 ?? solutions.length - 1;
  const exponent = Math.floor(log);
  const raised = String(exponent).replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(digit)));
  return `${(10 ** (log - exponent)).toFixed(1)} × 10${raised}`;
}
