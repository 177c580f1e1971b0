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
export async function followRun(
  cli: Cli,
  runId: string,
  emit: Emit,
  timeoutSeconds?: number,
  label = 'Importing',
): Promise<SyncRun> {
  cli.interrupt.parting = `The run goes on in the service. Go on watching: ${watchCommand(runId)}`;
  const bar = await cli.progress(label);
  try {
    const client = await cli.client();
    const run = await watchRun(client, runId, {
      signal: cli.signal,
      timeoutMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000,
      onChange: async (run) => {
        const read = run.items_processed === null ? run.stage : countText(run.items_processed, 'record');
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
  const { run_id, stage, message, progress, items_processed, last_update } = run;
  const records_per_second = recordRate(run) ?? null;
  return { event: 'progress', run_id, stage, message, progress, items_processed, records_per_second, last_update };
}

/** Records a second, as the run reports it. */
function recordRate({ metadata }: SyncRun): number | undefined {
  return typeof metadata.records_per_second === 'number' ? metadata.records_per_second : undefined;
}
