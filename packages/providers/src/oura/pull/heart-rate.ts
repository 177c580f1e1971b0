import { type HealthRecord, seriesTypeByCode } from '@healthd/model';
import { z } from 'zod';
import type { Tally, TimeRange } from '../../cloud/index.js';
import { isObject, readPayload } from '../../payload/index.js';
import { instantMs } from '../../rest/index.js';
import { OURA_SOURCE, replacedWindow } from './source.js';

const HEART_RATE = seriesTypeByCode('heart_rate').id;

/** A reading. */
const READING = z.object({ timestamp: z.string(), bpm: z.number() });

/** Returns the readings of days and nights. The vendor writes them in UTC, independent of the user's zone. */
export function heartRateRecords(rows: readonly unknown[], window: TimeRange, tally: Tally): HealthRecord[] {
  const found: HealthRecord[] = [{ ...replacedWindow(window), of: 'samples', typeIds: [HEART_RATE] }];
  for (const row of rows) {
    const index = tally.next();
    const { timestamp, bpm: value } = readPayload(READING, isObject(row) ? row : {}, () => undefined);
    const startMs = instantMs(timestamp);
    if (Number.isNaN(startMs)) tally.reject(index, 'timestamp', 'invalid_date');
    else if (value === undefined) tally.reject(index, 'bpm', 'missing');
    else found.push({ kind: 'sample', source: OURA_SOURCE, typeId: HEART_RATE, sampleKind: 'sample', startMs, value });
  }
  return found;
}
