interface LoadingProps {
  /** Usual height of the part in pixels; 0 for a part that most pages show without content. */
  height?: number;
}

/**
 * Keeps the place of a part that is loading. The words appear only if loading takes noticeably long. The parts that follow
 * appear together with this one, so that they do not move when it arrives.
 */
export function Loading({ height = 320 }: LoadingProps) {
  return (
    <div className="card loading" aria-busy="true" hidden={height === 0} style={{ minHeight: height }}>
      <span>Loading…</span>
    </div>
  );
}
