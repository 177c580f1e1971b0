import { jobConnectionOf } from './job-connection.js';
import type { PullEnqueuer, PullJobServices } from './pull-payload.js';

/** What reading after a consent needs. */
export interface ConnectedServices extends PullJobServices {
  historicalSyncOnConnect: boolean;
  pulls: PullEnqueuer;
}

/** Has the connection's runs worked on; no one waits for the job store. */
export async function enqueuePull(
  { pool, pulls }: Pick<ConnectedServices, 'pool' | 'pulls'>,
  connectionId: string,
): Promise<void> {
  await pulls.tryEnqueue({ connection_id: await jobConnectionOf(pool, connectionId) });
}
