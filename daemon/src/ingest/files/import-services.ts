import type pg from 'pg';
import type { Spool } from '../../platform/spool/index.js';
import type { SyncRuns } from '../../runs/index.js';
import type { RecordWriter } from '../../store/write/index.js';
import type { ImportSettings } from './settings.js';

/** Services of an import. */
export interface ImportServices {
  pool: pg.Pool;
  runs: SyncRuns;
  writer: RecordWriter;
  spool: Spool;
  settings: Pick<ImportSettings, 'maxUnpackedBytes' | 'maxRatio'>;
  /** Maximum number of samples per transaction. Default: chosen by the file's reader. */
  batchSamples?: number;
}
