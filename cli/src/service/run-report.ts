import { ITEM_OUTCOMES, type ItemCounts } from '@healthd/model';
import type { DataTypeReport, SyncRun, SyncRunSummary } from '@healthd/schemas';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { plainText } from '../output/text-width.js';
import { countText, durationText, numberText } from '../ui/amounts.js';
import { changesOf, changeText, changeTotals } from './change-report.js';
import { countsOf, numberOf, recordOf } from './metadata.js';
import { retryingText } from './retrying.js';

/** Results of the items of one type. */
export interface StoredCounts {
  inserted: number;
  updated: number;
  unchanged: number;
}

/** Outcome of each file of an import of workout files. */
interface WorkoutFilesReport {
  read: number;
  imported: number;
  unreadable: number;
  without_workout: number;
  others: number;
  /** First unreadable or damaged files. `name` is null for the uploaded file. */
  problems: { name: string | null; reason: string }[];
}

type ContentList = 'elements' | 'parts' | 'files';

/** Sum of the outcomes in one list of a file's contents. */
interface ContentTotals {
  read: number;
  imported: number;
  rejected: number;
  notImported: Record<string, number>;
}

/** Report of an ended run, from its metadata. */
export interface RunReport {
  /** Counts of stored items by type, e.g. `samples`. Omits types that have no items. */
  stored: Record<string, StoredCounts>;
  rejectedTotal: number;
  rejectedByReason: Record<string, number>;
  /** Number of items that the unified model does not support, by the vendor's type. */
  unsupported: Record<string, number>;
  /** Number of unsupported elements of a file, by name. */
  unsupportedElements: Record<string, number>;
  /** Number of skipped files of an archive, by type. */
  unsupportedFiles: Record<string, number>;
  /** Undefined unless the run imported workout files. */
  files: WorkoutFilesReport | undefined;
  /** Outcomes of the elements, parts of elements, and files of an export. */
  contents: Record<ContentList, ContentTotals>;
  seconds?: number;
  /** Outcomes of all items. Undefined if the run does not report them. */
  items: ItemCounts | undefined;
}

/** Reads the report of a run. Zeros if the run has no report. */
export function reportOf({ metadata }: SyncRun): RunReport {
  const report = recordOf(metadata.report);
  const rejected = recordOf(report.rejected);
  const stored = Object.entries(recordOf(report.stored))
    .map(([kind, counts]) => [kind, storedCounts(counts)] as const)
    .filter(([, { inserted, updated, unchanged }]) => inserted + updated + unchanged > 0);
  return {
    stored: Object.fromEntries(stored),
    rejectedTotal: numberOf(rejected.total) ?? 0,
    rejectedByReason: countsOf(rejected.by_reason),
    unsupported: countsOf(report.unsupported),
    unsupportedElements: countsOf(report.unsupported_elements),
    unsupportedFiles: countsOf(report.unsupported_files),
    files: filesOf(report.files),
    contents: contentsOf(recordOf(report.contents)),
    seconds: numberOf(report.seconds),
    items: itemsOf(metadata.items),
  };
}

/** True if a run stores nothing and only reports what an import would change. */
export function isDryRun({ metadata }: Pick<SyncRun, 'metadata'>): boolean {
  return metadata.dry_run === true;
}

/** Returns the exit code of a command that waited for the run. */
export function exitCodeOf(run: SyncRun): ExitCode {
  if (run.status === 'failed' || run.status === 'cancelled') return EXIT.failed;
  return run.status === 'partial' || reportOf(run).rejectedTotal > 0 ? EXIT.partial : EXIT.done;
}

/** Sums over all item types. */
export function storedTotals(report: RunReport): StoredCounts {
  const total = { inserted: 0, updated: 0, unchanged: 0 };
  for (const counts of Object.values(report.stored)) {
    total.inserted += counts.inserted;
    total.updated += counts.updated;
    total.unchanged += counts.unchanged;
  }
  return total;
}

/** Returns the lines of the report: name and value. */
export function reportPairs(run: SyncRun): [string, string | null][] {
  const report = reportOf(run);
  const pairs: [string, string | null][] = [
    ['Run', run.run_id],
    ['Status', run.message && !run.retrying ? `${statusText(run)}: ${run.message}` : statusText(run)],
    ...(run.retrying ? [['Cause', `${run.message ?? ''} (${run.retrying.reason})`] as [string, string]] : []),
    ['Read', readText(run, report)],
  ];
  if (report.items && report.items.read > 0) pairs.push(['Items', itemsText(report.items)]);
  for (const [kind, counts] of Object.entries(report.stored))
    pairs.push([kind.replaceAll('_', ' '), storedText(counts)]);
  const changes = changesOf(run);
  if (changes) pairs.push([isDryRun(run) ? 'Would be' : 'Changes', changeText(changeTotals(changes))]);
  if (report.rejectedTotal > 0) pairs.push(['Rejected', byName(report.rejectedTotal, report.rejectedByReason)]);
  if (report.files) {
    pairs.push(['Files', filesText(report.files)]);
    for (const { name, reason } of report.files.problems.slice(0, MAX_PROBLEMS)) {
      pairs.push(['Problem', name === null ? reason : `${plainText(name)}: ${reason}`]);
    }
  }
  const unsupported = [
    ['Unsupported types', report.unsupported],
    ['Unsupported elements', report.unsupportedElements],
    ['Files not read', report.unsupportedFiles],
  ] as const;
  for (const [name, counts] of unsupported) {
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    if (total > 0) pairs.push([name, byName(total, counts)]);
  }
  for (const [list, name] of CONTENT_NAMES) {
    const totals = report.contents[list];
    if (totals.read > 0) pairs.push([name, contentText(totals)]);
  }
  return [...pairs, ...dataTypePairs(run)];
}

/** Maximum number of listed files. The JSON result lists up to a hundred. */
const MAX_PROBLEMS = 20;

/** Formats `12 = 10 imported + 1 unreadable + 1 others`. */
function filesText({ read, problems: _, ...outcomes }: WorkoutFilesReport): string {
  const parts = Object.entries(outcomes).filter(([, count]) => count > 0);
  return [
    numberText(read),
    parts.map(([name, count]) => `${numberText(count)} ${name.replaceAll('_', ' ')}`).join(' + '),
  ]
    .filter((part) => part !== '')
    .join(' = ');
}

function filesOf(value: unknown): WorkoutFilesReport | undefined {
  const files = recordOf(value);
  const counts = countsOf(files);
  if (counts.read === undefined) return undefined;
  const { read, imported = 0, unreadable = 0, without_workout = 0, others = 0 } = counts;
  const problems = Array.isArray(files.problems) ? files.problems.map(recordOf) : [];
  return {
    read,
    imported,
    unreadable,
    without_workout,
    others,
    problems: problems.map(({ name, reason }) => ({
      name: typeof name === 'string' ? name : null,
      reason: String(reason),
    })),
  };
}

const CONTENT_NAMES = [
  ['elements', 'Elements'],
  ['files', 'Files'],
] as const;

/** Formats `12 = 9 imported + 1 rejected + 2 not imported (clinical 1, repeated 1)`. */
function contentText({ read, imported, rejected, notImported }: ContentTotals): string {
  const left = Object.values(notImported).reduce((sum, count) => sum + count, 0);
  const parts = [
    ...(imported > 0 ? [`${numberText(imported)} imported`] : []),
    ...(rejected > 0 ? [`${numberText(rejected)} rejected`] : []),
    ...(left > 0 ? [`${byName(left, notImported).replace(' (', ' not imported (')}`] : []),
  ];
  return `${numberText(read)} = ${parts.join(' + ')}`;
}

function contentsOf(contents: Record<string, unknown>): RunReport['contents'] {
  const totalsOf = (list: ContentList): ContentTotals => {
    const totals: ContentTotals = { read: 0, imported: 0, rejected: 0, notImported: {} };
    for (const value of Array.isArray(contents[list]) ? contents[list] : []) {
      const row = recordOf(value);
      totals.read += numberOf(row.read) ?? 0;
      totals.imported += numberOf(row.imported) ?? 0;
      totals.rejected += numberOf(row.rejected) ?? 0;
      for (const [reason, count] of Object.entries(countsOf(row.not_imported))) {
        totals.notImported[reason] = (totals.notImported[reason] ?? 0) + count;
      }
    }
    return totals;
  };
  return { elements: totalsOf('elements'), parts: totalsOf('parts'), files: totalsOf('files') };
}

/** Formats the status, with the stage of an open run and the next attempt of a waiting run. */
export function statusText(run: SyncRunSummary): string {
  const waiting = retryingText(run);
  if (waiting !== undefined) return `retrying: ${waiting}`;
  return run.status === 'in_progress' ? `in progress (${run.stage})` : run.status;
}

function readText(run: SyncRun, report: RunReport): string | null {
  if (run.items_processed === null) return null;
  const items = countText(run.items_processed, 'item');
  return report.seconds === undefined ? items : `${items} in ${durationText(report.seconds)}`;
}

function storedText({ inserted, updated, unchanged }: StoredCounts): string {
  return `${numberText(inserted)} new, ${numberText(updated)} updated, ${numberText(unchanged)} unchanged`;
}

/** Formats `110 = 100 inserted + 10 duplicates`, without outcomes that have no items. */
function itemsText(items: ItemCounts): string {
  const parts = ITEM_OUTCOMES.filter((outcome) => items[outcome] > 0).map(
    (outcome) => `${numberText(items[outcome])} ${outcome.replaceAll('_', ' ')}`,
  );
  return `${numberText(items.read)} = ${parts.join(' + ')}`;
}

/** Formats `12 (unknown_unit 10, invalid_date 2)`. */
function byName(total: number, counts: Record<string, number>): string {
  const parts = Object.entries(counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${numberText(count)}`);
  return parts.length === 0 ? numberText(total) : `${numberText(total)} (${parts.join(', ')})`;
}

function itemsOf(value: unknown): ItemCounts | undefined {
  const counts = countsOf(value);
  if (counts.read === undefined) return undefined;
  const outcomes = Object.fromEntries(ITEM_OUTCOMES.map((outcome) => [outcome, counts[outcome] ?? 0]));
  return { ...(outcomes as Omit<ItemCounts, 'read'>), read: counts.read };
}

function storedCounts(value: unknown): StoredCounts {
  const { inserted, updated, unchanged } = recordOf(value);
  return { inserted: numberOf(inserted) ?? 0, updated: numberOf(updated) ?? 0, unchanged: numberOf(unchanged) ?? 0 };
}

type Outcome = Pick<DataTypeReport, 'status' | 'inserted' | 'updated' | 'deleted' | 'error'>;

/** Returns the result of each data type of a sync. Empty for other runs. */
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
function dataTypePairs(run: Pick<SyncRun, 'metadata'>): [string, string][] {
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
