import type { Rejected } from '@healthd/model';
import type { FileReport } from '@healthd/providers';
import type { RunOutcome } from '../../runs/index.js';
import type { WriteCounts } from '../../store/facts/index.js';
import type { ArchivedDays, SeriesChanges } from '../../store/write/index.js';
import { CONFIRMABLE_MINUTES, REPLACEMENT_FAULTS, type ReplacementFault } from './import-file.js';

/** Result of importing an export file. */
export interface ImportReport {
  seconds: number;
  /** Size of the uploaded file. */
  bytes: number;
  format: string | null;
  truncated: boolean;
  /** Top-level elements of the file by name. */
  elements: Record<string, number>;
  stored: Record<string, WriteCounts>;
  /** Samples read, by series type. */
  samples_by_type: Record<string, number>;
  rejected: { total: number; by_reason: Record<string, number>; first: Omit<Rejected, 'kind'>[] };
  /** Records without a place in the data model, by the vendor's type: the hundred most frequent, and `others`. */
  unsupported: Record<string, number>;
  /**
   * Elements of the file without a place in the data model, by name, such as `ActivitySummary` and
   * `Workout/WorkoutRoute`. Limited like `unsupported`.
   */
  unsupported_elements: Record<string, number>;
  /** Ignored files of the archive, by type; never their names. */
  unsupported_files: FileReport['unsupportedFiles'];
  /** Outcome of each file; only for workout files. Names are in the user's archive. */
  files?: FileReport['files'];
  /** Outcome of every element and file, which adds up to the elements and files that were read. */
  contents?: FileReport['contents'];
  /** Number of rows that mode `replace` removed, or would remove in a dry run. */
  gone?: number;
  /** Actual or previewed changes; only for mode `replace` and dry runs. */
  changes?: SeriesChanges;
  /** Archived days that mode `replace` left unchanged; undefined if no archived day was left unchanged. */
  archived_days_kept?: ArchivedDays;
}

/** Returns the run's outcome, as a code for programs and a text for users. */
export function outcomeOf(
  read: FileReport,
  report: ImportReport,
  { dryRun, fault }: { dryRun: boolean; fault: ReplacementFault | undefined },
): { outcome: RunOutcome; reason?: string; message: string } {
  if (read.failure !== undefined) {
    const { code, message } = read.failure;
    return { outcome: { stage: 'failed', status: 'failed', error: message }, reason: code, message };
  }
  const done = dryRun ? 'compared' : 'imported';
  const keptText = dryRun ? ` The file is kept for ${CONFIRMABLE_MINUTES} minutes: confirm the run to import it.` : '';
  const note = archivedNotice(report);
  const partial = { stage: 'completed', status: 'partial' } as const;
  const { total } = report.rejected;
  if (read.truncated) {
    const unremoved = fault ? ` ${REPLACEMENT_FAULTS[fault]}` : '';
    const subject = read.files !== undefined && read.format === 'zip' ? 'A file in the archive' : 'The file';
    const message = `${subject} ends early. Everything before its end was ${done}.${unremoved}${keptText}`;
    return { outcome: partial, reason: 'truncated', message };
  }
  if (fault) {
    return {
      outcome: partial,
      reason: fault,
      message: `The export was ${done}. ${REPLACEMENT_FAULTS[fault]}${keptText}`,
    };
  }
  if (total > 0) {
    const message = `The export was ${done}; ${total} ${total === 1 ? 'item was' : 'items were'} rejected.${note}${keptText}`;
    return { outcome: partial, reason: 'items_rejected', message };
  }
  return { outcome: { stage: 'completed', status: 'success' }, message: `The export was ${done}.${note}${keptText}` };
}

function archivedNotice({ archived_days_kept: archivedDays }: ImportReport): string {
  if (!archivedDays) return '';
  const days =
    archivedDays.days === 1
      ? `The archived day ${archivedDays.from} was`
      : `${archivedDays.days} archived days (${archivedDays.from} to ${archivedDays.to}) were`;
  return ` ${days} not changed, because their samples are archived and cannot be compared with the file.`;
}
