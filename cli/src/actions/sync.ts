import { listUserSyncRuns, requestHistoricalSync, requestProviderSync } from '@healthd/contract';
import type { Cli } from '../cli.js';
import { writeRows } from '../output/writer.js';
import { sinceSeconds } from '../service/dates.js';
import { followRequested } from './run-progress.js';
import { RUN_SHAPE } from './runs.js';

interface WaitOptions {
  user: string;
  /** The service knows the providers; its answer to a wrong one lists them. */
  provider: 'google';
  wait: boolean;
  timeout?: number;
}

export interface RunSyncOptions extends WaitOptions {
  type: 'workouts' | '247' | 'all';
  since?: string;
}

export interface HistoricalOptions extends WaitOptions {
  days: number;
}

export interface SyncStatusOptions {
  user: string;
  limit: number;
}

/** `healthctl sync run` */
export async function runSync(cli: Cli, options: RunSyncOptions): Promise<void> {
  const client = await cli.client();
  const since = options.since === undefined ? undefined : sinceSeconds(options.since);
  const asked = await client.call(requestProviderSync, {
    params: { user_id: options.user, provider: options.provider },
    query: { data_type: options.type, since },
    signal: cli.signal,
  });
  await followRequested(cli, asked, { ...options, label: 'Syncing' });
}

/** `healthctl sync historical` */
export async function runHistorical(cli: Cli, options: HistoricalOptions): Promise<void> {
  const client = await cli.client();
  const asked = await client.call(requestHistoricalSync, {
    params: { user_id: options.user, provider: options.provider },
    query: { days: options.days },
    signal: cli.signal,
  });
  if (asked.days === undefined) cli.hint(`${asked.message}. Follow it with: healthctl sync status`);
  else if (asked.days < options.days) cli.hint(`The vendor is asked for ${asked.days} days; more are never read.`);
  await followRequested(cli, asked, { ...options, label: 'Reading the past' });
}

/** `healthctl sync status` */
export async function syncStatus(cli: Cli, { user, limit }: SyncStatusOptions): Promise<void> {
  cli.willWrite(RUN_SHAPE);
  const client = await cli.client();
  const query = { limit };
  const runs = await client.call(listUserSyncRuns, { params: { user_id: user }, query, signal: cli.signal });
  const read = runs.filter(({ source }) => source !== 'sdk' && source !== 'xml_import');
  await writeRows(cli.sink, RUN_SHAPE, read);
  if (read.length === 0) cli.hint('Nothing was read from a vendor yet. Begin with: healthctl sync run');
}
