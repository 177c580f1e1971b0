import { formatInstant } from '../format.js';

/** An instant on the reader's clock; UTC on hover. */
export function Instant({ at }: { at: string | null | undefined }) {
  if (!at) return <span className="muted">–</span>;
  return (
    <time dateTime={at} title={`${at.slice(0, 19).replace('T', ' ')} UTC`}>
      {formatInstant(at)}
    </time>
  );
}
