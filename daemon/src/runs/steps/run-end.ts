import { addItems, groupFailedKinds, noItems, PROVIDER_NAMES, type ProviderId } from '@healthd/model';
import type { RunOutcome } from '../run-states.js';
import type { RunStep } from '../sync-runs.js';
import type { DataTypeReports } from './run-report.js';

/** Returns a run's outcome and final report. A run with a failed type is never successful. */
export function endOf(
  provider: ProviderId,
  reports: DataTypeReports,
  fault?: string,
): { outcome: RunOutcome; step: RunStep } {
  const all = Object.values(reports);
  const sum = (member: 'inserted' | 'updated' | 'deleted' | 'rejected') =>
    all.reduce((total, report) => total + report[member], 0);
  const counts = { inserted: sum('inserted'), updated: sum('updated'), deleted: sum('deleted') };
  const items = noItems();
  for (const report of all) addItems(items, report.items);
  const metadata = { ...counts, rejected: sum('rejected'), items, data_types: reports };
  const itemsProcessed = counts.inserted + counts.updated + counts.deleted;
  const read = all.filter(({ status }) => status !== 'skipped');
  const failed = read.filter(({ status }) => status !== 'success');
  const name = PROVIDER_NAMES[provider];
  if (read.length === 0 && fault === undefined) {
    const isUnconsented = all.length > 0 && all.every(({ error }) => error === 'scope_missing');
    const message = isUnconsented
      ? `${name}: the user granted access to no data. Connect again and grant access to at least one data type.`
      : `${name}: no data types to read.`;
    return { outcome: { stage: 'completed', status: 'skipped' }, step: { message, itemsProcessed, metadata } };
  }
  const stored = read.some(({ status }) => status !== 'failed');
  if (!stored) {
    const error = fault ?? `${name}: no data type could be read (${reasonsOf(reports)}).`;
    return {
      outcome: { stage: 'failed', status: 'failed', error },
      step: { message: error, itemsProcessed, metadata },
    };
  }
  const changed = `${counts.inserted} new, ${counts.updated} changed, ${counts.deleted} removed`;
  if (failed.length === 0) {
    const message = `${name}: ${changed}.`;
    return { outcome: { stage: 'completed', status: 'success' }, step: { message, itemsProcessed, metadata } };
  }
  const missing = fault ?? `${failed.length} of ${read.length} data types could not be read completely.`;
  const message = `${name}: ${changed}. ${missing}`;
  return { outcome: { stage: 'completed', status: 'partial' }, step: { message, itemsProcessed, metadata } };
}

/** Lists the error codes of the failed data types. Groups types with equal codes. */
function reasonsOf(reports: DataTypeReports): string {
  const read = Object.entries(reports).filter(([, { status }]) => status !== 'skipped');
  const failed = read.map(([dataType, { error = 'unknown' }]) => ({ dataType, error }));
  return groupFailedKinds(failed, read.length).join('; ');
}
