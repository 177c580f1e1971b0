/** Returns the list with one item moved. */
export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const next = [...items];
  const [item] = next.splice(from, 1);
  if (item !== undefined) next.splice(to, 0, item);
  return next;
}

/** Returns the pairs that the second order reverses, as winner and loser. */
export function reversedPairs(before: readonly string[], after: readonly string[]): [winner: string, loser: string][] {
  return after.flatMap((winner, index) =>
    after
      .slice(index + 1)
      .filter((loser) => before.indexOf(loser) < before.indexOf(winner))
      .map((loser): [string, string] => [winner, loser]),
  );
}
