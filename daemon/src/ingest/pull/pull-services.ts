import type { ProviderId } from '@healthd/model';
import type { CloudProvider } from '@healthd/providers';
import type pg from 'pg';
import type { Connections } from '../../connections/index.js';
import type { SyncRuns } from '../../runs/index.js';
import type { RecordWriter } from '../../store/write/index.js';
import type { PullMetrics } from './pull-metrics.js';

/** What the operator chose for reading from vendors. */
export interface PullSettings {
  /** How far each pull in pull mode reaches back behind what is known already; undefined: off. */
  lookbackMs: number | undefined;
  syncIntervalSeconds: number;
  /** How often a connection in webhook mode is polled for what the vendor does not report. */
  webhookPollSeconds: number;
  /** A connection in webhook mode is silent after three times its median pause, but not before this. */
  webhookSilenceSeconds: number;
}

/** All that reading from vendors needs. */
export interface PullServices {
  pool: pg.Pool;
  runs: SyncRuns;
  writer: Pick<RecordWriter, 'threadFor' | 'writeIn'>;
  connections: Connections;
  settings: PullSettings;
  /** The vendor's cloud, whether or not the operator gave credentials for it. */
  cloudOf(provider: ProviderId): CloudProvider | undefined;
  /** How far back a provider gives data; undefined: no bound. */
  maxHistoricalDays(provider: ProviderId): number | undefined;
  /** How many days the terms of a vendor allow to store; undefined: no bound. */
  cacheDays(provider: ProviderId): Promise<number | undefined>;
  metrics: PullMetrics;
  now(): Date;
}
