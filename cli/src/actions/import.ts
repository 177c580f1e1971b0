import { type ImportAccepted, importAppleExport, type SyncRun } from '@healthd/api';
import { pathOf } from '@healthd/client';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { failureJson, failureOf } from '../failure.js';
import { Outcome } from '../outcome.js';
import { renderPairs } from '../output/table.js';
import { plainText } from '../output/text-width.js';
import { checkExportFile, type ExportFile } from '../service/export-file.js';
import { exitCodeOf, reportOf, reportPairs, storedTotals } from '../service/run-report.js';
import { watchCommand } from '../service/run-watch.js';
import { type UploadAnswer, uploadFile } from '../service/upload.js';
import { bytesText, durationText } from '../ui/amounts.js';
import { type Emit, emitterOf, followRun } from './run-progress.js';

/** At most one upload event in this time. */
const UPLOAD_EVENT_EVERY_MS = 1_000;

export interface ImportOptions {
  user: string;
  wait: boolean;
  timeout?: number;
}

/** `healthctl import` */
export async function importFile(cli: Cli, path: string, options: ImportOptions): Promise<void> {
  const emit = emitterOf(cli);
  const started = performance.now();
  let accepted: ImportAccepted | undefined;
  try {
    const file = await checkExportFile(path);
    accepted = await upload(cli, file, options.user, emit);
    if (!options.wait) return await endWithoutWaiting(cli, accepted, emit);
    const run = await followRun(cli, accepted.run_id, emit, options.timeout);
    await showResult(cli, run, emit, (performance.now() - started) / 1000);
  } catch (error) {
    if (!(error instanceof Outcome)) await emitFailure(emit, error, accepted);
    throw error;
  }
}

async function upload(cli: Cli, file: ExportFile, userId: string, emit: Emit): Promise<ImportAccepted> {
  const session = await cli.session();
  const started = performance.now();
  const bar = await cli.progress('Uploading');
  cli.interrupt.parting = 'The upload was not finished, so nothing is imported.';
  if (!cli.terminal.animate) cli.say(`Uploading ${plainText(file.path)} (${bytesText(file.bytes)})`);
  let eventAt = Number.NEGATIVE_INFINITY;
  const route = pathOf(importAppleExport, { user_id: userId });
  let answer: UploadAnswer;
  try {
    answer = await uploadFile({
      baseUrl: session.client.baseUrl,
      path: route,
      part: importAppleExport.uploadPart,
      file: file.path,
      fileBytes: file.bytes,
      headers: await session.headersFor(importAppleExport),
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
  cli.debug(`POST ${route} ${answer.status} ${Math.round(seconds * 1000)} ms ${answer.requestId ?? ''}`.trimEnd());
  const accepted = answer.body as ImportAccepted;
  cli.say(`Uploaded ${bytesText(file.bytes)} in ${durationText(seconds)}; the run is ${accepted.run_id}.`);
  await emit({ event: 'accepted', run_id: accepted.run_id, user_id: accepted.user_id });
  return accepted;
}

async function endWithoutWaiting(cli: Cli, accepted: ImportAccepted, emit: Emit): Promise<void> {
  await emit({ event: 'result', ...accepted });
  cli.hint(`Follow it: ${watchCommand(accepted.run_id)}`);
}

async function showResult(cli: Cli, run: SyncRun, emit: Emit, seconds: number): Promise<void> {
  const report = reportOf(run);
  await emit({
    event: 'result',
    ...run,
    ...storedTotals(report),
    rejected: report.rejectedTotal,
    rejected_by_reason: report.rejectedByReason,
    unsupported: report.unsupported,
    seconds: Math.round(seconds * 1000) / 1000,
  });
  if (cli.forPeople) await cli.sink.write(renderPairs([...reportPairs(run), ['Took', durationText(seconds)]]));
  const code = exitCodeOf(run);
  if (code !== EXIT.failed) cli.hint(`Next: healthctl data activity --user ${run.user_id}`);
  if (code !== EXIT.done) throw new Outcome(code);
}

/** A stream of events always ends with one result, also when it fails. */
async function emitFailure(emit: Emit, error: unknown, accepted: ImportAccepted | undefined): Promise<void> {
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
