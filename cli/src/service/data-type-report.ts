import type { DataTypeReport, SyncRun } from '@healthd/schemas';
import { numberText } from '../ui/amounts.js';
import { countsOf, recordOf } from './metadata.js';

type Outcome = Pick<DataTypeReport, 'status' | 'inserted' | 'updated' | 'deleted' | 'error'>;

/** Result of each data type of a sync. Empty for other runs. */
function dataTypesOf({ metadata }: Pick<SyncRun, 'metadata'>): Record<string, Outcome> {
  return Object.fromEntries(
    Object.entries(recordOf(metadata.data_types)).map(([dataType, report]) => [dataType, outcomeOf(recordOf(report))]),
  );
}

function outcomeOf(report: Record<string, unknown>): Outcome {
  const { inserted = 0, updated = 0, deleted = 0 } = countsOf(report);
  const { status, error } = report as Partial<DataTypeReport>;
  return { status: status ?? 'skipped', inserted, updated, deleted, error };
}

/** Formats the data types that changed, failed or were skipped. */
export function dataTypePairs(run: Pick<SyncRun, 'metadata'>): [string, string][] {
  return Object.entries(dataTypesOf(run)).flatMap(([dataType, report]): [string, string][] => {
    const { status, inserted, updated, deleted, error } = report;
    const changed = inserted + updated + deleted > 0;
    const counts = `${numberText(inserted)} new, ${numberText(updated)} changed, ${numberText(deleted)} removed`;
    if (status === 'success') return changed ? [[dataType, counts]] : [];
    const words = status === 'in_progress' && error !== undefined ? 'retrying' : status.replaceAll('_', ' ');
    const reason = error === undefined ? words : `${words}: ${error}`;
    return [[dataType, changed ? `${counts}; ${reason}` : reason]];
  });
}
