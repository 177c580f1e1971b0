import type pg from 'pg';
import { firstStorableDay, storePhoneZone } from '../connections/index.js';
import { rankNewProviders } from '../priorities/index.js';
import { createRecordWriter, type DecideThreadOptions, type RecordWriter } from '../store/write/index.js';

/** Creates the writer of health data, with hooks for the data that other folders store in its transactions. */
export function composeRecordWriter(
  pool: pg.Pool,
  {
    sleepEndGapMinutes,
    storeRoutes,
    decideThreads,
  }: { sleepEndGapMinutes: number; storeRoutes: boolean; decideThreads: number },
  decide: Omit<DecideThreadOptions, 'threads'> = {},
): RecordWriter {
  return createRecordWriter(pool, {
    sleepEndGapMinutes,
    storeRoutes,
    decide: { threads: decideThreads, ...decide },
    hooks: { rankProviders: rankNewProviders, storePhoneZone, firstStoredDay: firstStorableDay },
  });
}
