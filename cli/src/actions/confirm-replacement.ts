import { confirmImportRun } from '@healthd/contract';
import type { ImportConfirmed, SyncRun } from '@healthd/schemas';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { changesOf, changeTable, changeText, changeTotals } from '../service/change-report.js';
import { countText } from '../ui/amounts.js';
import { askText } from '../ui/prompt.js';
import { confirmCommand } from './run-result.js';

/** What is to be said where no one can be asked. */
export const ASK_INSTEAD = 'Say --yes to replace without being asked, or --dry-run to see what would go.';

/**
 * Shows what a dry run found, asks where stored rows would go, and has the import done.
 * @throws CliError `not_confirmed`
 */
export async function confirmReplacement(cli: Cli, dryRun: SyncRun): Promise<ImportConfirmed> {
  const changes = changesOf(dryRun) ?? {};
  const total = changeTotals(changes);
  // What a person is asked appears beside the question, wherever stdout goes.
  const { width, heading } = cli.sink;
  cli.insist(`\n${changeTable(changes, { width, heading })}\n${dryRun.message} It would be ${changeText(total)}.`);
  if (total.gone > 0) await confirm(cli, dryRun, total.gone);
  const client = await cli.client();
  return client.call(confirmImportRun, { params: { run_id: dryRun.run_id }, signal: cli.signal });
}

async function confirm(cli: Cli, { run_id }: SyncRun, gone: number): Promise<void> {
  cli.insist(`This removes ${countText(gone, 'stored row')} that earlier files brought and this one lacks.`);
  const typed = await askText(cli.terminal, 'Type replace to go on', ASK_INSTEAD);
  if (typed.trim().toLowerCase() === 'replace') return;
  throw new CliError('not_confirmed', 'That is another answer. Nothing was changed.', {
    hint: `The file is kept for an hour: ${confirmCommand(run_id)}`,
    exitCode: EXIT.failed,
  });
}
