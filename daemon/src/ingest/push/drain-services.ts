import type { PushReader } from '@healthd/providers';
import type pg from 'pg';
import type { SyncRuns } from '../../runs/index.js';
import type { RecordWriter } from '../../store/write/index.js';

/** What the processing of batches needs. */
export interface DrainServices {
  pool: pg.Pool;
  runs: SyncRuns;
  writer: Pick<RecordWriter, 'threadFor' | 'writeAllIn'>;
  reader: Pick<PushReader, 'read'>;
  /** Bytes of a body after unpacking. */
  maxBytes: number;
}
