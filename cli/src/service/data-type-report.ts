import { type DataTypeReport, dataTypeReportSchema, type SyncRun } from '@healthd/api';
import { numberText } from '../ui/amounts.js';

/** What became of each kind of data of a run that read from a vendor; empty for every other run. */
export function dataTypesOf({ metadata }: Pick<SyncRun, 'metadata'>): Record<string, DataTypeReport> {
  const reports = metadata.data_types;
  if (typeof reports !== 'object' || reports === null) return {};
  return Object.fromEntries(
    Object.entries(reports).flatMap(([dataType, report]) => {
      const read = dataTypeReportSchema.safeParse(report);
      return read.success ? [[dataType, read.data]] : [];
    }),
  );
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
