import { setTimeout as sleep } from 'node:timers/promises';
import type { SyncRun } from '@healthd/schemas';
import type { DaemonProcess } from '../daemon-process.js';
import { type Load, loadOf, watchServer } from '../process-load.js';
import { type ImportQuery, uploadExport } from './upload.js';

const POLL_MS = 100;

/** Counts of one collection as the import reports them. */
interface Stored {
  inserted: number;
  updated: number;
  unchanged: number;
}

interface ImportReport {
  seconds: number;
  stored: Record<string, Stored>;
  /** Number of removed rows, only in mode `replace` and in dry runs. */
  gone?: number;
}

/** Cost of importing one file, from the first byte sent to the last row stored. */
export interface MeasuredImport {
  uploadSeconds: number;
  /** Time for reading and storing, according to the run's report. */
  importSeconds: number;
  /** Time from the response to the upload until the run's end is observed. */
  answerToEndSeconds: number;
  samples: Stored;
  /** Rows inserted into all collections. */
  inserted: number;
  items: number;
  /** Rows that were deleted. In a dry run, rows that would be deleted. */
  gone: number;
  /** Load of the daemon: its peak memory since the start, and its processor time during upload and import. */
  daemon: Load;
  postgres: Load;
}

/** Uploads the file for a user and waits for the end of its import. */
export async function measureImport(
  daemon: DaemonProcess,
  userId: string,
  file: { path: string; bytes: number },
  query: ImportQuery = {},
): Promise<MeasuredImport> {
  const before = loadOf(daemon.pid).cpuSeconds;
  const postgres = watchServer(daemon.postgresPid);
  const startedMs = performance.now();
  const { run_id: runId } = await uploadExport(daemon, userId, file, query);
  const answered = performance.now();
  const run = await endOf(daemon, runId);
  const ended = performance.now();
  const after = loadOf(daemon.pid);
  const { seconds, stored, gone = 0 } = run.metadata.report as ImportReport;
  return {
    uploadSeconds: (answered - startedMs) / 1000,
    importSeconds: seconds,
    answerToEndSeconds: (ended - answered) / 1000,
    samples: stored.samples ?? { inserted: 0, updated: 0, unchanged: 0 },
    inserted: Object.values(stored).reduce((sum, { inserted }) => sum + inserted, 0),
    items: run.items_processed ?? 0,
    gone,
    daemon:
      before === undefined || after.cpuSeconds === undefined
        ? after
        : { ...after, cpuSeconds: after.cpuSeconds - before },
    postgres: postgres.stop(),
  };
}

async function endOf(daemon: DaemonProcess, runId: string): Promise<SyncRun> {
  for (;;) {
    const run = await daemon.get<SyncRun>(`/api/v1/sync/runs/${runId}`);
    if (run.status === 'success') return run;
    if (run.ended_at !== null) throw new Error(`the import ended as ${run.status}: ${run.message}`);
    await sleep(POLL_MS);
  }
}
