import { writeFile } from 'node:fs/promises';
import type { SyncRun } from '@healthd/schemas';
import type { Cli } from '../cli.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { CliError, type Failure, failureJson, failureOf } from '../failure.js';
import { Outcome } from '../outcome.js';
import { plainText } from '../output/text-width.js';
import { checkExportFile } from '../service/export-file.js';
import { exitCodeOf, reportOf, statusText, storedTotals } from '../service/run-report.js';
import { countText, numberText } from '../ui/amounts.js';
import type { ImportOptions } from './import-options.js';
import { importResult } from './import-result.js';
import { emitterOf, followRun, SILENT } from './run-progress.js';
import { uploadExport } from './upload-export.js';

/** What became of one file. */
interface FileOutcome {
  file: string;
  run?: SyncRun;
  /** Of a file whose end is not waited for. */
  runId?: string;
  failure?: Failure;
  code: ExitCode;
}

/** Imports several files, some at the same time; a file that fails does not keep the others. @throws Outcome as they ended */
export async function importSeveral(cli: Cli, files: readonly string[], options: ImportOptions): Promise<void> {
  if (options.replace && !options.dryRun && !options.yes) {
    throw new CliError('input_needed', 'Several files replace only with --yes; --dry-run shows what would go.', {
      hint: 'Or import them one by one.',
      exitCode: EXIT.usage,
    });
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
  if (failed.length > 0 && options.failures !== undefined) cli.say(`What failed is listed in ${options.failures}.`);
  const code = codeOf(outcomes, failed.length);
  if (code !== EXIT.done) throw new Outcome(code);
}

async function importOne(cli: Cli, path: string, options: ImportOptions): Promise<FileOutcome> {
  try {
    // Bars of several files would draw over each other.
    const quiet = cli.silenced();
    const file = await checkExportFile(path);
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
    ? `failed: ${run.error ?? run.message ?? 'no cause is known'}`
    : `${statusText(run)}, ${counts}`;
}

function codeOf(outcomes: readonly FileOutcome[], failed: number): ExitCode {
  if (failed === outcomes.length && failed > 0) return EXIT.failed;
  return failed > 0 || outcomes.some(({ code }) => code === EXIT.partial) ? EXIT.partial : EXIT.done;
}
