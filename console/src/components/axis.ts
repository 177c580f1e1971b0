const STEPS = [1, 2, 2.5, 5, 10];

/** Returns the rounded top of an axis for values up to `max`. */
export function axisTop(max: number): number {
  if (max <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(max));
  const step = STEPS.find((candidate) => candidate * power >= max) ?? 10;
  return step * power;
}
