import type { SyncRun } from '@healthd/api';
import type { Cli } from '../cli.js';
import { watchCommand, watchRun } from '../service/run-watch.js';
import { countText, numberText } from '../ui/amounts.js';

/** Sends one event of a stream to stdout: one JSON object a line. */
export type Emit = (event: Record<string, unknown>) => Promise<void>;

/** One line of NDJSON where programs read, nothing where a person does. */
export function emitterOf(cli: Cli): Emit {
  return async (event) => {
    if (!cli.forPeople) await cli.sink.write(`${JSON.stringify(event)}\n`);
  };
}

/** Follows a run with a bar, or as events. Ctrl-C tells how to go on. */
export async function followRun(cli: Cli, runId: string, emit: Emit, timeoutSeconds?: number): Promise<SyncRun> {
  cli.interrupt.parting = `The run goes on in the service. Go on watching: ${watchCommand(runId)}`;
  const bar = await cli.progress('Importing');
  try {
    const client = await cli.client();
    return await watchRun(client, runId, {
      signal: cli.signal,
      timeoutMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000,
      onChange: async (run) => {
        const read = run.items_processed === null ? run.stage : countText(run.items_processed, 'record');
        const perSecond = recordRate(run);
        bar.update(run.progress ?? 0, 1, perSecond === undefined ? read : `${read}  ${numberText(perSecond)}/s`);
        if (run.status === 'in_progress') await emit({ event: 'progress', ...run });
      },
    });
  } finally {
    bar.clear();
    cli.interrupt.parting = undefined;
  }
}

function recordRate(run: SyncRun): number | undefined {
  if (run.started_at === null || run.items_processed === null) return undefined;
  const seconds = (Date.parse(run.last_update) - Date.parse(run.started_at)) / 1000;
  return seconds > 0.5 ? Math.round(run.items_processed / seconds) : undefined;
}
