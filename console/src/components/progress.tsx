/** Progress bar from 0 to 1. `name` is its label for screen readers. */
export function Progress({ value, name }: { value: number; name: string }) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div className="bar" role="progressbar" aria-label={name} aria-valuenow={percent}>
      <i style={{ width: `${percent}%` }} />
    </div>
  );
}
