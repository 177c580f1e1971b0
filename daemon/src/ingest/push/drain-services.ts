import type { PushReader } from '@healthd/providers';
import type pg from 'pg';
import type { SyncRuns } from '../../runs/index.js';
import type { RecordWriter } from '../../store/write/index.js';

/** Services of batch processing. */
export interface DrainServices {
  pool: pg.Pool;
  runs: SyncRuns;
  writer: Pick<RecordWriter, 'threadFor' | 'writeAllIn'>;
  reader: Pick<PushReader, 'read'>;
  /** Maximum size of an unpacked body in bytes. */
  maxBytes: number;
}
