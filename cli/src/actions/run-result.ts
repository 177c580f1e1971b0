import type { SyncRun } from '@healthd/schemas';
import type { Cli } from '../cli.js';
import { type Cell, renderPairs } from '../output/table.js';
import { changesOf, changeTable } from '../service/change-report.js';
import { isDryRun, reportPairs } from '../service/run-report.js';

/** The command that does what a dry run reported. */
export function confirmCommand(runId: string): string {
  return `healthctl runs confirm ${runId}`;
}

/** Shows a person how a run ended; of a dry run also what would change, and how to have it done. */
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
  cli.hint(table === '' ? 'Nothing would change.' : `Nothing was stored. To do it: ${confirmCommand(run.run_id)}`);
}
