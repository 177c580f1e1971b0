/** In a cell: there is no such value. A stacked row leaves the cell out. */
export function None() {
  return <span className="muted none">–</span>;
}
