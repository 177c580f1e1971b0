import { pathOf } from '@healthd/client';
import { type IMPORT_MODES, importAppleExport } from '@healthd/contract';
import type { ImportAccepted } from '@healthd/schemas';
import type { Cli } from '../cli.js';
import { plainText } from '../output/text-width.js';
import type { ExportFile } from '../service/export-file.js';
import { type UploadResponse, uploadFile } from '../service/upload.js';
import { bytesText, durationText } from '../ui/amounts.js';
import type { Emit } from './run-progress.js';

/** At most one upload event in this time. */
const UPLOAD_EVENT_EVERY_MS = 1_000;

/** Whose file it is, and what is to be done with it. */
export interface ExportUpload {
  userId: string;
  mode: (typeof IMPORT_MODES)[number];
  /** Nothing is to be stored. */
  isDryRun: boolean;
}

/** Uploads an export file with a bar, or as events. @throws ApiError, UnreachableError, CliError `file_changed` */
export async function uploadExport(
  cli: Cli,
  file: ExportFile,
  { userId, mode, isDryRun }: ExportUpload,
  emit: Emit,
): Promise<ImportAccepted> {
  const session = await cli.session();
  const started = performance.now();
  const bar = await cli.progress('Uploading');
  cli.interrupt.parting = 'The upload was not finished, so nothing is imported.';
  if (!cli.terminal.animate) cli.say(`Uploading ${plainText(file.path)} (${bytesText(file.bytes)})`);
  let eventAt = Number.NEGATIVE_INFINITY;
  const route = pathOf(importAppleExport, { user_id: userId }, { mode, dry_run: isDryRun });
  let answer: UploadResponse;
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
