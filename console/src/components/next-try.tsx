import { formatNextTry } from '../format.js';

/** `14:32 (in 3 min)` on the reader's clock; UTC on hover. */
export function NextTry({ at }: { at: string }) {
  return (
    <time dateTime={at} title={`${at.slice(0, 19).replace('T', ' ')} UTC`}>
      {formatNextTry(at)}
    </time>
  );
}
