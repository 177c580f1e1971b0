import type pg from 'pg';
import { firstStorableDay, storePhoneZone } from '../connections/index.js';
import { rankNewProviders } from '../priorities/index.js';
import { createRecordWriter, type RecordWriter, type RecordWriterOptions } from '../store/write/index.js';

/** The writer of health data, joined with what other folders store in its transactions. */
export function composeRecordWriter(
  pool: pg.Pool,
  { sleepEndGapMinutes }: Pick<RecordWriterOptions, 'sleepEndGapMinutes'>,
): RecordWriter {
  return createRecordWriter(pool, {
    sleepEndGapMinutes,
    hooks: { rankProviders: rankNewProviders, storePhoneZone, firstKeptDay: firstStorableDay },
  });
}
