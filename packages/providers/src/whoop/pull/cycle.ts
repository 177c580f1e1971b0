import type { HealthRecord } from '@healthd/model';
import { z } from 'zod';
import type { Tally, TimeRange } from '../../cloud/index.js';
import { isObject, numberOf, type PayloadObject, readPayload } from '../../payload/index.js';
import { instantMs, offsetOf } from '../../rest/index.js';
import { OFFSET } from './placed-record.js';
import { healthScore, readScore } from './score.js';
import { replacedScores } from './source.js';
import type { Waking, Wakings } from './wakings.js';

/** A cycle, from waking to the next night. `id`, `start` and `end` identify it. */
const CYCLE = z.object({ timezone_offset: OFFSET });
/** The score of a cycle. */
const SCORE = z.object({
  strain: z.number(),
  kilojoule: z.number(),
  average_heart_rate: z.number(),
  max_heart_rate: z.number(),
  step_count: z.number(),
});

const SCORES = 'cycle/';
const COMPONENTS = ['kilojoule', 'average_heart_rate', 'max_heart_rate', 'step_count'];

/**
 * Returns the strain of each finished cycle, from waking to the next night. Stores the strain at waking, so that it
 * counts for the date on which the user was awake. Does not use a cycle's start or end, because two cycles may start or
 * end on one date. Skips the current cycle, which has no end, because its figures still grow.
 *
 * A cycle's energy is the total of roughly a day. Its active part, which the data model requires for days, is unknown,
 * so the energy remains a component of the score.
 */
export function cycleRecords(
  records: readonly unknown[],
  { byCycle }: Pick<Wakings, 'byCycle'>,
  window: TimeRange,
  tally: Tally,
): HealthRecord[] {
  const found: HealthRecord[] = [replacedScores(SCORES, window)];
  for (const record of records) {
    const id = isObject(record) ? numberOf(record.id) : undefined;
    if (!isObject(record) || id === undefined) {
      tally.reject(tally.next(), isObject(record) ? 'id' : undefined, 'missing');
      continue;
    }
    if (record.end === undefined || record.end === null) continue;
    const waking = byCycle.get(id) ?? middleOf(record);
    if (Number.isNaN(waking.atMs)) {
      tally.reject(tally.next(), 'end', 'invalid_date');
      continue;
    }
    // Skips cycles outside of the window, because the requested range is longer, to find every sleep.
    if (waking.atMs < window.startMs || waking.atMs >= window.endMs) continue;
    tally.next();
    readPayload(CYCLE, record, tally.fault);
    found.push(
      healthScore(readScore(SCORE, record, tally), {
        externalId: `${SCORES}${id}`,
        category: 'strain',
        atMs: waking.atMs,
        offsetMinutes: waking.offsetMinutes,
        value: 'strain',
        components: COMPONENTS,
        words: { period: 'day' },
      }),
    );
  }
  return found;
}

/** Returns the middle of a cycle without a night, which determines its date. */
function middleOf(record: PayloadObject): Waking {
  const atMs = Math.floor((instantMs(record.start) + instantMs(record.end)) / 2);
  return { sleepId: undefined, atMs, offsetMinutes: offsetOf(record.timezone_offset) };
}
