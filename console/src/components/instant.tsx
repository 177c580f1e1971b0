import { formatInstant } from '../format.js';
import { None } from './none.js';

/** Instant in the reader's time zone, with UTC on hover. */
export function Instant({ at }: { at: string | null | undefined }) {
  if (!at) return <None />;
  return (
    <time dateTime={at} title={`${at.slice(0, 19).replace('T', ' ')} UTC`}>
      {formatInstant(at)}
    </time>
  );
}
