/** Empty cell value. Stacked rows omit the cell. */
export function None() {
  return <span className="muted none">–</span>;
}
