import { listUserSyncRuns, requestHistoricalSync, requestProviderSync } from '@healthd/api';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { Outcome } from '../outcome.js';
import { renderPairs } from '../output/table.js';
import { writeRows } from '../output/writer.js';
import { exitCodeOf, reportPairs } from '../service/run-report.js';
import { watchCommand } from '../service/run-watch.js';
import { emitterOf, followRun } from './run-progress.js';
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
  const since = options.since === undefined ? undefined : String(unixSeconds(options.since));
  const asked = await client.call(requestProviderSync, {
    params: { user_id: options.user, provider: options.provider },
    query: { data_type: options.type, since },
    signal: cli.signal,
  });
  await follow(cli, asked, options, 'Syncing');
}

/** `healthctl sync historical` */
export async function runHistorical(cli: Cli, options: HistoricalOptions): Promise<void> {
  const client = await cli.client();
  const asked = await client.call(requestHistoricalSync, {
    params: { user_id: options.user, provider: options.provider },
    query: { days: String(options.days) },
    signal: cli.signal,
  });
  if (asked.days < options.days) cli.hint(`The vendor is asked for ${asked.days} days; more are never read.`);
  await follow(cli, asked, options, 'Reading the past');
}

/** `healthctl sync status` */
export async function syncStatus(cli: Cli, { user, limit }: SyncStatusOptions): Promise<void> {
  const client = await cli.client();
  const query = { limit: String(limit) };
  const runs = await client.call(listUserSyncRuns, { params: { user_id: user }, query, signal: cli.signal });
  const read = runs.filter(({ source }) => source !== 'sdk' && source !== 'xml_import');
  await writeRows(cli.sink, RUN_SHAPE, read);
  if (read.length === 0) cli.hint('Nothing was read from a vendor yet. Begin with: healthctl sync run');
}

async function follow(
  cli: Cli,
  { run_id, message }: { run_id: string; message: string },
  { wait, timeout }: WaitOptions,
  label: string,
): Promise<void> {
  const emit = emitterOf(cli);
  cli.say(`${message}; the run is ${run_id}.`);
  await emit({ event: 'accepted', run_id });
  if (!wait) {
    await emit({ event: 'result', run_id, status: 'in_progress' });
    return cli.hint(`Follow it: ${watchCommand(run_id)}`);
  }
  const run = await followRun(cli, run_id, emit, timeout, label);
  await emit({ event: 'result', ...run });
  if (cli.forPeople) await cli.sink.write(renderPairs(reportPairs(run)));
  const code = exitCodeOf(run);
  if (code !== EXIT.done) throw new Outcome(code);
}

function unixSeconds(text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) {
    throw new CliError('since_invalid', 'The time of --since cannot be read.', {
      hint: 'Give a date or an instant, e.g. 2026-11-01 or 2026-11-01T08:00:00Z.',
      exitCode: EXIT.usage,
    });
  }
  return Math.floor(ms / 1_000);
}
