import type { DataTypeReport, SyncRun } from '@healthd/schemas';
import { numberText } from '../ui/amounts.js';
import { countsOf, recordOf } from './metadata.js';

type Outcome = Pick<DataTypeReport, 'status' | 'inserted' | 'updated' | 'deleted' | 'error'>;

/** What became of each kind of data of a run that read from a vendor; empty for every other run. */
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

/** The same as lines for people: what changed, failed or was left out; kinds without news are left out. */
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
