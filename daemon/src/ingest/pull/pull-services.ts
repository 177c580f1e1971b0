import type { ProviderId } from '@healthd/model';
import type { CloudProvider } from '@healthd/providers';
import type pg from 'pg';
import type { Connections } from '../../connections/index.js';
import type { SyncRuns } from '../../runs/index.js';
import type { RecordWriter } from '../../store/write/index.js';
import type { PullMetrics } from './pull-metrics.js';

/** Operator settings for reading from vendors. */
export interface PullSettings {
  /** Additional lookback of each pull in pull mode; undefined if no lookback is configured. */
  lookbackMs: number | undefined;
  syncIntervalSeconds: number;
  /** Poll interval, in webhook mode, for data types that the vendor does not report. */
  webhookPollSeconds: number;
  /**
   * Minimum silence before a webhook connection counts as silent. The silence must also reach three times the
   * connection's median pause.
   */
  webhookSilenceSeconds: number;
}

/** Services for reading from vendors. */
export interface PullServices {
  pool: pg.Pool;
  runs: SyncRuns;
  writer: Pick<RecordWriter, 'threadFor' | 'writeIn'>;
  connections: Connections;
  settings: PullSettings;
  /** Returns the vendor's cloud, with or without configured credentials. */
  cloudOf(provider: ProviderId): CloudProvider | undefined;
  /** Returns the maximum age in days of the provider's data; undefined: no limit. */
  maxHistoricalDays(provider: ProviderId): number | undefined;
  /** Returns the number of days that the vendor's terms allow data to be stored; undefined: no limit. */
  cacheDays(provider: ProviderId): Promise<number | undefined>;
  metrics: PullMetrics;
  now(): Date;
}
