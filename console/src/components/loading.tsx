interface LoadingProps {
  /** Usual height of the part in pixels; 0 if the part is usually empty. */
  height?: number;
}

/**
 * Reserves space for a part that is loading, and shows the loading text after a delay. The parts below appear together
 * with this part, so that they do not shift.
 */
export function Loading({ height = 320 }: LoadingProps) {
  return (
    <div className="card loading" aria-busy="true" hidden={height === 0} style={{ minHeight: height }}>
      <span>Loading…</span>
    </div>
  );
}
