import { confirmImportRun } from '@healthd/contract';
import type { ImportAccepted, ImportConfirmed, SyncRun } from '@healthd/schemas';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError, failureJson, failureOf } from '../failure.js';
import { Outcome } from '../outcome.js';
import { NO_FIELDS } from '../output/fields.js';
import { changesOf, changeTable, changeText, changeTotals } from '../service/change-report.js';
import { checkExportFile } from '../service/export-file.js';
import { withExportFiles } from '../service/export-files.js';
import { exitCodeOf, isDryRun } from '../service/run-report.js';
import { watchCommand } from '../service/run-watch.js';
import { countText, durationText } from '../ui/amounts.js';
import { askText, requirePerson } from '../ui/prompt.js';
import type { ImportOptions } from './import-options.js';
import { importResult } from './import-result.js';
import { importSeveral } from './import-several.js';
import { type Emit, emitterOf, followRun, SILENT } from './run-progress.js';
import { confirmCommand, showReport } from './run-result.js';
import { uploadExport } from './upload-export.js';

/** What is to be said where no one can be asked. */
const ASK_INSTEAD = 'Say --yes to replace without being asked, or --dry-run to see what would go.';

/**
 * Shows what a dry run found, asks where stored rows would go, and has the import done.
 * @throws CliError `not_confirmed`
 */
async function confirmReplacement(cli: Cli, dryRun: SyncRun): Promise<ImportConfirmed> {
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

/** `healthctl import`: of one file with a bar and its report, of several with a line for each. */
export async function importFiles(cli: Cli, paths: readonly string[], options: ImportOptions): Promise<void> {
  cli.willWrite(NO_FIELDS);
  await withExportFiles(paths, (files) => {
    const [only, another] = files;
    if (only !== undefined && another === undefined && options.failures === undefined)
      return importFile(cli, only, options);
    return importSeveral(cli, files, options);
  });
}

async function importFile(cli: Cli, path: string, options: ImportOptions): Promise<void> {
  const emit = emitterOf(cli, options.dryRun);
  const started = performance.now();
  const mode = options.replace ? 'replace' : 'merge';
  const asks = mode === 'replace' && !options.dryRun && !options.yes;
  let accepted: ImportAccepted | ImportConfirmed | undefined;
  try {
    if (asks) requirePerson(cli.terminal, ASK_INSTEAD);
    const file = await checkExportFile(path);
    const upload = { userId: options.user, mode, isDryRun: asks || options.dryRun === true } as const;
    accepted = await uploadExport(cli, file, upload, asks ? SILENT : emit);
    if (asks) {
      const tried = await followRun(cli, accepted.run_id, SILENT, options.timeout, 'Comparing');
      if (exitCodeOf(tried) === EXIT.failed) return await showResult(cli, tried, emit, secondsSince(started));
      accepted = await confirmReplacement(cli, tried);
      await emit({ event: 'accepted', run_id: accepted.run_id, user_id: accepted.user_id });
    }
    if (!options.wait) return await endWithoutWaiting(cli, accepted, emit);
    const label = options.dryRun ? 'Comparing' : 'Importing';
    const run = await followRun(cli, accepted.run_id, emit, options.timeout, label);
    await showResult(cli, run, emit, secondsSince(started));
  } catch (error) {
    if (!(error instanceof Outcome)) await emitFailure(emit, error, accepted);
    throw error;
  }
}

async function endWithoutWaiting(cli: Cli, accepted: ImportAccepted | ImportConfirmed, emit: Emit): Promise<void> {
  await emit({ event: 'result', ...accepted });
  cli.hint(`Follow it: ${watchCommand(accepted.run_id)}`);
}

async function showResult(cli: Cli, run: SyncRun, emit: Emit, seconds: number): Promise<void> {
  await emit({ event: 'result', ...importResult(run, seconds) });
  await showReport(cli, run, [['Took', durationText(seconds)]]);
  const code = exitCodeOf(run);
  if (code !== EXIT.failed && !isDryRun(run)) cli.hint(`Next: healthctl data activity --user ${run.user_id}`);
  if (code !== EXIT.done) throw new Outcome(code);
}

/** A stream of events always ends with one result, also when it fails. */
async function emitFailure(
  emit: Emit,
  error: unknown,
  accepted: ImportAccepted | ImportConfirmed | undefined,
): Promise<void> {
  const failure = failureOf(error);
  await emit({
    event: 'result',
    status:
      failure.code === 'wait_timed_out'
        ? 'in_progress'
        : failure.exitCode === EXIT.interrupted
          ? 'interrupted'
          : 'failed',
    run_id: accepted?.run_id ?? null,
    error: failureJson(failure),
  });
}

function secondsSince(started: number): number {
  return (performance.now() - started) / 1000;
}
