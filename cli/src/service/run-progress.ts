import type { SyncRun } from '@healthd/schemas';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { Outcome } from '../outcome.js';
import { NO_FIELDS } from '../output/fields.js';
import { type Cell, renderPairs } from '../output/table.js';
import { countText, numberText } from '../ui/amounts.js';
import { changesOf, changeTable } from './change-report.js';
import { retryingText } from './retrying.js';
import { exitCodeOf, isDryRun, reportPairs } from './run-report.js';
import { watchCommand, watchRun } from './run-watch.js';

/** Writes one event to stdout as one line of JSON. */
export type Emit = (event: Record<string, unknown>) => Promise<void>;

/**
 * Returns a writer of NDJSON events for programs. Writes nothing on a terminal.
 * @param isOneDocument true to write only the result, unless NDJSON was requested
 */
export function emitterOf(cli: Cli, isOneDocument = false): Emit {
  cli.willWrite(NO_FIELDS);
  const resultAlone = isOneDocument && cli.sink.format !== 'ndjson';
  return async (event) => {
    if (cli.forPeople || (resultAlone && event.event !== 'result')) return;
    await cli.sink.write(`${JSON.stringify(event)}\n`);
  };
}

/** Drops events of steps that programs do not wait for. */
export const SILENT: Emit = async () => undefined;

/** Follows a run with a progress bar or events. After Ctrl-C, prints how to continue. */
export async function followRun(
  cli: Cli,
  runId: string,
  emit: Emit,
  timeoutSeconds?: number,
  label = 'Importing',
): Promise<SyncRun> {
  cli.interrupt.parting = `The run continues in the service. Keep watching: ${watchCommand(runId)}`;
  const bar = await cli.progress(label);
  try {
    const client = await cli.client();
    const run = await watchRun(client, runId, {
      signal: cli.signal,
      timeoutMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000,
      onChange: async (run) => {
        const waiting = retryingText(run);
        if (waiting !== undefined) cli.say(`${run.message ?? 'The run is waiting.'} Retrying: ${waiting}.`);
        const read = run.items_processed === null ? run.stage : countText(run.items_processed, 'item');
        const perSecond = recordRate(run);
        bar.update(run.progress ?? 0, 1, perSecond === undefined ? read : `${read}  ${numberText(perSecond)}/s`);
        if (run.status === 'in_progress') await emit(progressEvent(run));
      },
    });
    cli.interrupt.parting = undefined;
    return run;
  } finally {
    bar.clear();
  }
}

function progressEvent(run: SyncRun): Record<string, unknown> {
  const { run_id, stage, message, retrying, progress, items_processed, last_update } = run;
  const records_per_second = recordRate(run) ?? null;
  const items = { items_processed, records_per_second };
  return { event: 'progress', run_id, stage, message, retrying, progress, ...items, last_update };
}

/** Returns the records per second that the run reports. */
function recordRate({ metadata }: SyncRun): number | undefined {
  return typeof metadata.records_per_second === 'number' ? metadata.records_per_second : undefined;
}

/**
 * Prints the id of a requested run. Then follows the run until it ends, except with --no-wait.
 * @throws Outcome if the run did not succeed
 */
export async function followRequested(
  cli: Cli,
  { run_id, message }: { run_id: string; message: string },
  { wait, timeout, label }: { wait: boolean; timeout?: number; label: string },
): Promise<void> {
  const emit = emitterOf(cli);
  // Removes the period at the end of some of the service's messages.
  cli.say(`${message.replace(/\.$/, '')}; the run is ${run_id}.`);
  await emit({ event: 'accepted', run_id });
  if (wait) return followToEnd(cli, run_id, timeout, label);
  await emit({ event: 'result', run_id, status: 'in_progress' });
  cli.hint(`Follow it: ${watchCommand(run_id)}`);
}

/** Follows a run until it ends and shows its report. @throws Outcome if the run did not succeed */
export async function followToEnd(cli: Cli, runId: string, timeoutSeconds?: number, label?: string): Promise<void> {
  const emit = emitterOf(cli);
  const run = await followRun(cli, runId, emit, timeoutSeconds, label);
  await emit({ event: 'result', ...run });
  await showReport(cli, run);
  const code = exitCodeOf(run);
  if (code !== EXIT.done) throw new Outcome(code);
}

/** Returns the command that imports the file of a dry run. */
export function confirmCommand(runId: string): string {
  return `healthctl runs confirm ${runId}`;
}

/** Shows the result of a run on a terminal. For a dry run, also shows the changes and the import command. */
export async function showReport(
  cli: Cli,
  run: SyncRun,
  more: readonly (readonly [string, Cell])[] = [],
): Promise<void> {
  if (!cli.forPeople) return;
  await cli.sink.write(renderPairs([...reportPairs(run), ...more], cli.sink));
  const changes = isDryRun(run) ? changesOf(run) : undefined;
  if (!changes) return;
  const table = changeTable(changes, cli.sink);
  await cli.sink.write(table === '' ? '' : `\n${table}\n`);
  if (run.status !== 'success' && run.status !== 'partial') return;
  cli.hint(table === '' ? 'Nothing would change.' : `Nothing was stored. To import it: ${confirmCommand(run.run_id)}`);
}
