import { listConnections, listUserSyncRuns, requestHistoricalSync, requestProviderSync } from '@healthd/contract';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { NO_FIELDS } from '../output/fields.js';
import { writeRows } from '../output/writer.js';
import { sinceSeconds } from '../service/dates.js';
import { followRequested } from './run-progress.js';
import { RUN_SHAPE } from './runs.js';

interface WaitOptions {
  user: string;
  provider?: string;
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
    params: { user_id: options.user, provider: await providerOf(cli, options) },
    query: { data_type: options.type, since },
    signal: cli.signal,
  });
  await followRequested(cli, asked, { ...options, label: 'Syncing' });
}

/** `healthctl sync historical` */
export async function runHistorical(cli: Cli, options: HistoricalOptions): Promise<void> {
  const client = await cli.client();
  const asked = await client.call(requestHistoricalSync, {
    params: { user_id: options.user, provider: await providerOf(cli, options) },
    query: { days: options.days },
    signal: cli.signal,
  });
  if (asked.days === undefined) cli.hint(`${asked.message}. Follow it with: healthctl sync status`);
  else if (asked.days < options.days) cli.hint(`The vendor is asked for ${asked.days} days; more are never read.`);
  await followRequested(cli, asked, { ...options, label: 'Reading the past' });
}

/**
 * Returns the provider to read from: the named one, or that of the user's only connection to a cloud.
 * @throws CliError `usage` if the user has several such connections, `not_found` if there is none
 */
async function providerOf(cli: Cli, { user, provider }: WaitOptions): Promise<'google'> {
  // The service knows which providers can be read; its answer to another one lists them.
  if (provider !== undefined) return provider as 'google';
  cli.willWrite(NO_FIELDS);
  const client = await cli.client();
  const connections = await client.call(listConnections, { params: { user_id: user }, signal: cli.signal });
  const readable = connections.filter((one) => one.has_authorization && one.status === 'active');
  const names = readable.map((one) => one.provider).sort();
  const [only, another] = names;
  if (only !== undefined && another === undefined) return only as 'google';
  if (only === undefined) {
    throw new CliError('not_found', 'The user has no connection to the cloud of a vendor.', {
      hint: `Create a link for the person: healthctl connect-links create --user ${user}`,
    });
  }
  throw new CliError('usage', `The user has ${names.length} connections. Choose one with --provider.`, {
    hint: `--provider takes one of: ${names.join(', ')}`,
    exitCode: EXIT.usage,
  });
}

/** `healthctl sync status` */
export async function syncStatus(cli: Cli, { user, limit }: SyncStatusOptions): Promise<void> {
  cli.willWrite(RUN_SHAPE);
  const client = await cli.client();
  const query = { limit };
  const runs = await client.call(listUserSyncRuns, { params: { user_id: user }, query, signal: cli.signal });
  const read = runs.filter(({ source }) => source !== 'sdk' && source !== 'xml_import');
  await writeRows(cli.sink, RUN_SHAPE, read);
  if (read.length === 0) cli.hint('Nothing was read from a vendor yet. Begin with: healthctl sync run <user>');
}
