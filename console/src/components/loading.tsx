/** Keeps the place of what is on its way. The words appear only when it takes long enough to notice. */
export function Loading() {
  return (
    <div className="card loading" aria-busy="true">
      <span>Loading…</span>
    </div>
  );
}
