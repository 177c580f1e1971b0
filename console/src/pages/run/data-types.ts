import type { DataTypeReport, SyncRun } from '@healthd/schemas';
import { numberOf, recordOf, textOf } from './metadata.js';

/** State of one data type of a sync. */
export interface DataTypeState
  extends Pick<DataTypeReport, 'status' | 'inserted' | 'updated' | 'deleted' | 'rejected'> {
  /** Vendor's name. */
  id: string;
  /** Reason for a pause of a data type in progress. */
  waiting: 'retrying' | 'waiting' | undefined;
  /** Error code. */
  error: string | undefined;
}

const STATUSES: readonly DataTypeReport['status'][] = ['in_progress', 'success', 'partial', 'failed', 'skipped'];
/** Sort order: problems first. */
const ORDER: readonly DataTypeReport['status'][] = ['failed', 'partial', 'in_progress', 'skipped', 'success'];

/** Returns a run's data types, failed types first; empty for runs without a vendor. */
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
