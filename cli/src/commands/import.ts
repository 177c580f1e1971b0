import { writeFile } from 'node:fs/promises';
import { pathOf } from '@healthd/client';
import { confirmImportRun, type IMPORT_MODES, importAppleExport, importWorkoutFiles } from '@healthd/contract';
import type { ImportAccepted, ImportConfirmed, SyncRun } from '@healthd/schemas';
import { type Command, Option } from 'commander';
import type { Cli } from '../cli.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { CliError, type Failure, failureJson, failureOf } from '../failure.js';
import { Outcome } from '../outcome.js';
import { NO_FIELDS } from '../output/fields.js';
import { plainText } from '../output/text-width.js';
import { changesOf, changeTable, changeText, changeTotals } from '../service/change-report.js';
import { checkExportFile, type ExportFile } from '../service/export-file.js';
import { withExportFiles } from '../service/export-files.js';
import { confirmCommand, type Emit, emitterOf, followRun, SILENT, showReport } from '../service/run-progress.js';
import { exitCodeOf, isDryRun, reportOf, statusText, storedTotals } from '../service/run-report.js';
import { watchCommand } from '../service/run-watch.js';
import { type UploadResponse, uploadFile } from '../service/upload.js';
import { bytesText, countText, durationText, numberText } from '../ui/amounts.js';
import { promptText, requireTerminal } from '../ui/prompt.js';
import type { Bind } from './bind.js';
import { duration, positive, userOption } from './values.js';

/** `import <files…> --user <id> [--replace] [--dry-run]` */
export function addImportCommand(program: Command, bind: Bind): void {
  program
    .command('import')
    .description(
      'Uploads an Apple health export, or files of workouts, and follows the import until it ends. Accepts the export.zip from the phone, the export.xml inside it, a gzipped export.xml, and FIT, GPX and TCX files, plain, gzipped or in a zip archive. Importing the same file twice adds nothing. By default a file only adds data; with --replace, the import also removes data of earlier files that this file lacks.',
    )
    .summary('import health exports and workout files')
    .argument(
      '<files...>',
      'export.zip, export.xml, export.xml.gz, *.fit, *.gpx, *.tcx or a zip of them, or a folder; - reads one file from stdin',
    )
    .addOption(userOption())
    .option('--replace', 'also remove data of earlier files that this file lacks, e.g. data deleted on the phone')
    .option('--dry-run', 'store nothing, only show the rows to add, change and remove')
    .option('-y, --yes', 'with --replace: skip the confirmation')
    .option('--no-wait', 'exit as soon as the service has stored the file')
    .option('--timeout <time>', 'maximum time to wait, e.g. 15m', duration)
    .addOption(
      new Option('--concurrency <n>', 'number of files to import at the same time').argParser(positive).default(2),
    )
    .option('--failures <file>', 'write failed files to this file, one JSON object per line')
    .addHelpText('after', NOTES)
    .action(bind(importFiles));
}

const NOTES = `
--replace affects only the series and sources in the file, from its first
item to the day it was written. It keeps data pushed by a phone. On a terminal
it shows the rows to remove and asks first; elsewhere it requires --yes.

--replace does not apply to workout files. A file with the same device and start
replaces its earlier version. The result lists unreadable files with the reason.

A dry run prints the command that imports the file without another upload.

With --json or in a pipe, stdout has one JSON object per line: events with
"event": "upload", "accepted" or "progress", then exactly one "result".
A dry run prints only the result, as one JSON document: "changes" counts by
series and month, "gone" counts removals. --output ndjson prints all events.
With several files, each prints an event "file" and the result counts failures;
one failed file does not stop the others. --replace then requires --yes.
Exit code 3: some items were rejected, some of several files failed, or a
truncated or undated file could not replace anything.

Examples:
  healthctl import export.zip --user anna@example.org
  healthctl import export.zip --user anna@example.org --replace --dry-run
  healthctl import exports/ --user anna@example.org --failures failed.ndjson
  healthctl import morning-run.fit activities.zip --user anna@example.org
`;

/** Options of `healthctl import`. */
interface ImportOptions {
  user: string;
  wait: boolean;
  timeout?: number;
  replace?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  /** Number of files to import at the same time. */
  concurrency: number;
  /** File that lists the failed files. */
  failures?: string;
}

/** Hint if there is no terminal. */
const PROMPT_HINT = 'Pass --yes to skip the confirmation, or --dry-run to see what would be removed.';

/**
 * Shows a dry run's result, asks if rows would be removed, and confirms the import.
 * @throws CliError `not_confirmed`
 */
async function confirmReplacement(cli: Cli, dryRun: SyncRun): Promise<ImportConfirmed> {
  const changes = changesOf(dryRun) ?? {};
  const total = changeTotals(changes);
  // The table belongs to the prompt, so it goes to the terminal even if stdout is redirected.
  const { width, heading } = cli.sink;
  cli.insist(`\n${changeTable(changes, { width, heading })}\n${dryRun.message} It would be ${changeText(total)}.`);
  if (total.gone > 0) await confirm(cli, dryRun, total.gone);
  const client = await cli.client();
  return client.call(confirmImportRun, { params: { run_id: dryRun.run_id }, signal: cli.signal });
}

async function confirm(cli: Cli, { run_id }: SyncRun, deletedCount: number): Promise<void> {
  cli.insist(`This removes ${countText(deletedCount, 'stored row')} of earlier files that this file lacks.`);
  const typed = await promptText(cli.terminal, 'Type replace to continue', PROMPT_HINT);
  if (typed.trim().toLowerCase() === 'replace') return;
  throw new CliError('not_confirmed', 'The confirmation does not match. Nothing was changed.', {
    hint: `The service keeps the file for an hour: ${confirmCommand(run_id)}`,
    exitCode: EXIT.failed,
  });
}

/** `healthctl import`: shows a progress bar and a report for one file, or one line per file for several files. */
async function importFiles(cli: Cli, paths: readonly string[], options: ImportOptions): Promise<void> {
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
  const promptsUser = mode === 'replace' && !options.dryRun && !options.yes;
  let accepted: ImportAccepted | ImportConfirmed | undefined;
  try {
    if (promptsUser) requireTerminal(cli.terminal, PROMPT_HINT);
    const file = await checkExportFile(path);
    rejectReplacement(file, options);
    const upload = { userId: options.user, mode, isDryRun: promptsUser || options.dryRun === true } as const;
    accepted = await uploadExport(cli, file, upload, promptsUser ? SILENT : emit);
    if (promptsUser) {
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

/** @throws CliError `replace_unsupported` for workout files, which replace only their own earlier version */
function rejectReplacement({ path, holds }: ExportFile, { replace }: ImportOptions): void {
  if (!replace || holds === 'export') return;
  throw new CliError(
    'replace_unsupported',
    `${path} contains workouts, and --replace applies only to health exports.`,
    {
      hint: 'Import the file without --replace.',
      exitCode: EXIT.usage,
    },
  );
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

/** Ends the event stream with exactly one result, even after a failure. */
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

/** Outcome of one file. */
interface FileOutcome {
  file: string;
  run?: SyncRun;
  /** Id of the started run, only with --no-wait. */
  runId?: string;
  failure?: Failure;
  code: ExitCode;
}

/**
 * Imports several files concurrently. A failed file does not stop the other files, unless the service is unreachable or
 * denies access.
 * @throws Outcome if an import did not succeed
 */
async function importSeveral(cli: Cli, files: readonly string[], options: ImportOptions): Promise<void> {
  if (options.replace && !options.dryRun && !options.yes) {
    throw new CliError(
      'input_needed',
      '--replace with several files requires --yes. Pass --dry-run to see what would be removed.',
      {
        hint: 'Or import the files one by one.',
        exitCode: EXIT.usage,
      },
    );
  }
  const emit = emitterOf(cli);
  const waiting = [...files];
  const outcomes: FileOutcome[] = [];
  const worker = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const outcome = await importOne(cli, file, options);
      outcomes.push(outcome);
      await emit({ event: 'file', ...outcomeJson(outcome) });
      cli.say(`${outcomes.length} of ${files.length}  ${plainText(file)}: ${outcomeText(outcome)}`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.concurrency, files.length) }, worker));
  const failed = outcomes.filter(({ code }) => code === EXIT.failed || code === EXIT.usage);
  if (options.failures !== undefined) {
    await writeFile(options.failures, failed.map((one) => `${JSON.stringify(outcomeJson(one))}\n`).join(''));
  }
  const counts = { files: outcomes.length, failed: failed.length, imported: outcomes.length - failed.length };
  await emit({ event: 'result', status: failed.length === 0 ? 'success' : 'failed', ...counts });
  cli.say(`${countText(counts.imported, 'file')} imported, ${numberText(counts.failed)} failed.`);
  if (failed.length > 0 && options.failures !== undefined) cli.say(`Failed files are listed in ${options.failures}.`);
  const code = codeOf(outcomes, failed.length);
  if (code !== EXIT.done) throw new Outcome(code);
}

async function importOne(cli: Cli, path: string, options: ImportOptions): Promise<FileOutcome> {
  try {
    // Several progress bars would overwrite each other.
    const quiet = cli.silenced();
    const file = await checkExportFile(path);
    rejectReplacement(file, options);
    const mode = options.replace ? 'replace' : 'merge';
    const upload = { userId: options.user, mode, isDryRun: options.dryRun === true } as const;
    const { run_id: runId } = await uploadExport(quiet, file, upload, SILENT);
    if (!options.wait) return { file: path, runId, code: EXIT.done };
    const run = await followRun(quiet, runId, SILENT, options.timeout);
    return { file: path, run, code: exitCodeOf(run) };
  } catch (error) {
    const failure = failureOf(error);
    if (cli.signal.aborted || failure.exitCode === EXIT.denied || failure.exitCode === EXIT.unreachable) throw error;
    return { file: path, failure, code: EXIT.failed };
  }
}

function outcomeJson({ file, run, runId, failure }: FileOutcome): Record<string, unknown> {
  if (failure) return { file, status: 'failed', error: failureJson(failure) };
  return run
    ? { file, ...importResult(run, reportOf(run).seconds ?? 0) }
    : { file, status: 'in_progress', run_id: runId };
}

function outcomeText({ run, runId, failure }: FileOutcome): string {
  if (failure) return failure.message;
  if (!run) return `accepted as ${runId}`;
  const { inserted, updated, unchanged } = storedTotals(reportOf(run));
  const counts = `${numberText(inserted)} new, ${numberText(updated)} updated, ${numberText(unchanged)} unchanged`;
  return run.status === 'failed'
    ? `failed: ${run.error ?? run.message ?? 'unknown cause'}`
    : `${statusText(run)}, ${counts}`;
}

function codeOf(outcomes: readonly FileOutcome[], failed: number): ExitCode {
  if (failed === outcomes.length && failed > 0) return EXIT.failed;
  return failed > 0 || outcomes.some(({ code }) => code === EXIT.partial) ? EXIT.partial : EXIT.done;
}

/**
 * Returns the JSON result of an ended import.
 * @param seconds duration, including the upload
 */
function importResult(run: SyncRun, seconds: number): Record<string, unknown> {
  const report = reportOf(run);
  const changes = changesOf(run);
  return {
    ...run,
    ...storedTotals(report),
    ...(changes && { gone: changeTotals(changes).gone, changes }),
    ...(report.items && { items: report.items }),
    rejected: report.rejectedTotal,
    rejected_by_reason: report.rejectedByReason,
    unsupported: report.unsupported,
    unsupported_elements: report.unsupportedElements,
    unsupported_files: report.unsupportedFiles,
    ...(report.files && { workout_files: report.files }),
    contents: report.contents,
    seconds: Math.round(seconds * 1000) / 1000,
  };
}

/** Minimum time between upload events. */
const UPLOAD_EVENT_EVERY_MS = 1_000;

/** Options of an upload. */
interface ExportUpload {
  userId: string;
  mode: (typeof IMPORT_MODES)[number];
  /** True to store nothing. */
  isDryRun: boolean;
}

/** Uploads an export file with a progress bar or events. @throws ApiError, UnreachableError, CliError `file_changed` */
async function uploadExport(
  cli: Cli,
  file: ExportFile,
  { userId, mode, isDryRun }: ExportUpload,
  emit: Emit,
): Promise<ImportAccepted> {
  const session = await cli.session();
  const started = performance.now();
  const bar = await cli.progress('Uploading');
  cli.interrupt.parting = 'The upload did not finish. Nothing was imported.';
  if (!cli.terminal.animate) cli.say(`Uploading ${plainText(file.path)} (${bytesText(file.bytes)})`);
  let eventAt = Number.NEGATIVE_INFINITY;
  const declaration = file.holds === 'workouts' ? importWorkoutFiles : importAppleExport;
  const route =
    file.holds === 'workouts'
      ? pathOf(importWorkoutFiles, { user_id: userId }, { dry_run: isDryRun })
      : pathOf(importAppleExport, { user_id: userId }, { mode, dry_run: isDryRun });
  let response: UploadResponse;
  try {
    response = await uploadFile({
      baseUrl: session.client.baseUrl,
      path: route,
      part: declaration.uploadPart,
      file: file.path,
      fileBytes: file.bytes,
      headers: await session.headersFor(declaration),
      signal: cli.signal,
      onSent: (bytes) => {
        const detail = `${bytesText(bytes)} of ${bytesText(file.bytes)}`;
        bar.update(bytes, file.bytes, detail, (rate) => `${bytesText(Math.round(rate))}/s`);
        if (performance.now() - eventAt < UPLOAD_EVENT_EVERY_MS && bytes < file.bytes) return;
        eventAt = performance.now();
        void emit({ event: 'upload', bytes, total_bytes: file.bytes });
      },
    });
  } finally {
    bar.clear();
  }
  cli.interrupt.parting = undefined;
  const seconds = (performance.now() - started) / 1000;
  cli.debug(`POST ${route} ${response.status} ${Math.round(seconds * 1000)} ms ${response.requestId ?? ''}`.trimEnd());
  const accepted = response.body as ImportAccepted;
  cli.say(`Uploaded ${bytesText(file.bytes)} in ${durationText(seconds)}; the run is ${accepted.run_id}.`);
  await emit({ event: 'accepted', run_id: accepted.run_id, user_id: accepted.user_id });
  return accepted;
}
