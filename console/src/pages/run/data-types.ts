import type { DataTypeReport, SyncRun } from '@healthd/schemas';
import { numberOf, recordOf, textOf } from './metadata.js';

/** How one kind of data of a run that reads from a vendor stands, or ended. */
export interface DataTypeState
  extends Pick<DataTypeReport, 'status' | 'inserted' | 'updated' | 'deleted' | 'rejected'> {
  /** As the vendor names it. */
  id: string;
  /** Set where it is in progress and does not move for now. */
  waiting: 'retrying' | 'waiting' | undefined;
  /** Code of what went wrong. */
  error: string | undefined;
}

const STATUSES: readonly DataTypeReport['status'][] = ['in_progress', 'success', 'partial', 'failed', 'skipped'];
/** What needs attention first. */
const ORDER: readonly DataTypeReport['status'][] = ['failed', 'partial', 'in_progress', 'skipped', 'success'];

/** The kinds of data of a run, what went wrong first; none for a run that reads from no vendor. */
export function dataTypesOf({ metadata, retrying }: Pick<SyncRun, 'metadata' | 'retrying'>): DataTypeState[] {
  return Object.entries(recordOf(metadata.data_types))
    .flatMap(([id, value]) => {
      const report = recordOf(value);
      const status = STATUSES.find((known) => known === report.status);
      const count = (name: string) => numberOf(report[name]) ?? 0;
      if (!status) return [];
      const counts = { inserted: count('inserted'), updated: count('updated'), deleted: count('deleted') };
      const error = textOf(report.error);
      const waiting = status === 'in_progress' ? waitingOf(error, retrying !== null) : undefined;
      return [{ id, status, waiting, ...counts, rejected: count('rejected'), error }];
    })
    .sort((a, b) => rankOf(a) - rankOf(b) || a.id.localeCompare(b.id));
}

function waitingOf(error: string | undefined, runWaits: boolean): DataTypeState['waiting'] {
  if (error !== undefined) return 'retrying';
  return runWaits ? 'waiting' : undefined;
}

function rankOf({ status, error }: DataTypeState): number {
  return 2 * ORDER.indexOf(status) + (error === undefined ? 1 : 0);
}
