import { MS_PER_DAY } from '@healthd/model';
import type { WriteContext } from '../facts/write-context.js';
import type { InstantSpan } from './batch-span.js';

/** Samples are looked at in stretches of this length: bounds memory where much is between two known offsets. */
const MOST_DAYS = 16;

/** What of the spans can hold samples without an offset, in stretches. */
export async function stretchesWithoutOffset(
  { client, userKey }: WriteContext,
  spans: readonly InstantSpan[],
): Promise<InstantSpan[]> {
  if (spans.length === 0) return [];
  const { rows } = await client.query<{ first_ms: number | null; last_ms: number | null }>({
    name: 'records-without-offset-bounds',
    text: `select extract(epoch from min(start_at))::float8 * 1000 as first_ms,
                  extract(epoch from max(start_at))::float8 * 1000 as last_ms
             from sample where user_key = $1 and offset_minutes is null`,
    values: [userKey],
  });
  const { first_ms: firstMs, last_ms: lastMs } = rows[0] ?? {};
  if (firstMs == null || lastMs == null) return [];
  const stretches: InstantSpan[] = [];
  for (const span of spans) {
    const toMs = Math.min(span.toMs, Math.ceil(lastMs));
    for (let fromMs = Math.max(span.fromMs, Math.floor(firstMs)); fromMs <= toMs; ) {
      const untilMs = Math.min(fromMs + MOST_DAYS * MS_PER_DAY, toMs);
      stretches.push({ fromMs, toMs: untilMs });
      fromMs = untilMs + 1;
    }
  }
  return stretches;
}
