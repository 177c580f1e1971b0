import type { Job } from '../../platform/jobs/index.js';
import type { PullServices } from '../pull/index.js';

/** The connection whose exports are processed. */
export interface ExportPayload {
  connection_id: string;
}

/** Services for requesting history that vendors deliver later. */
export interface ExportServices extends Omit<PullServices, 'writer' | 'settings'> {
  historicalSyncOnConnect: boolean;
  /** Enqueues the job that requests exports. */
  exportJobs: Pick<Job<ExportPayload>, 'tryEnqueue'>;
}
