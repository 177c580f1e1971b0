import type { Job } from '../../platform/jobs/index.js';
import type { PullServices } from '../pull/index.js';

/** The connection whose exports are looked at. */
export interface ExportPayload {
  connection_id: string;
}

/** What requesting the past of vendors that deliver it later needs. */
export interface ExportServices extends Omit<PullServices, 'writer' | 'settings'> {
  historicalSyncOnConnect: boolean;
  /** Enqueues the job that asks the vendor. */
  exportJobs: Pick<Job<ExportPayload>, 'tryEnqueue'>;
}
