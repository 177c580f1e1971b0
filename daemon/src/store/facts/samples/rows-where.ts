/** The rows that a condition holds for, ascending. */
export function rowsWhere(length: number, holds: (row: number) => boolean): Uint32Array {
  const chosen = new Uint32Array(length);
  let count = 0;
  for (let row = 0; row < length; row++) if (holds(row)) chosen[count++] = row;
  return chosen.subarray(0, count);
}
