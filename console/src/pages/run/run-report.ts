import { ITEM_OUTCOMES, type ItemOutcome } from '@healthd/model';
import type { SyncRun } from '@healthd/schemas';
import { numberOf, recordOf, textOf } from './metadata.js';

interface StoredCounts {
  kind: string;
  inserted: number;
  updated: number;
  unchanged: number;
}

/** Rejected item of a file. */
interface RejectedItem {
  collection: string;
  /** Index in the collection, from 0. */
  index: number;
  field: string | undefined;
  code: string;
  detail: string | undefined;
}

/** Outcome of one type of element or file. The other counts add up to `read`. */
interface PartOutcome {
  name: string;
  read: number;
  imported: number;
  rejected: number;
  notImported: [string, number][];
}

/** Report in a run's metadata. Missing parts are empty. */
export interface RunReport {
  /** Run that this run retries. */
  retryOf: string | undefined;
  filename: string | undefined;
  bytes: number | undefined;
  seconds: number | undefined;
  recordsPerSecond: number | undefined;
  stored: StoredCounts[];
  /** Item outcomes in a fixed order. Outcomes without items are omitted. */
  items: [ItemOutcome, number][];
  itemsRead: number;
  samplesByType: [string, number][];
  rejectedTotal: number;
  rejectedByReason: [string, number][];
  /** First hundred rejected items. */
  rejectedItems: RejectedItem[];
  /** Number of unsupported records, by vendor type. */
  unsupported: [string, number][];
  /** Number of unsupported elements, by name. */
  unsupportedElements: [string, number][];
  /** Number of skipped files of the archive, by type. */
  unsupportedFiles: [string, number][];
  /** Outcomes of elements, parts of elements, and files of an export. */
  contents: { elements: PartOutcome[]; files: PartOutcome[] };
}

/** Reads a run's report. Omits types without records and sorts counts in descending order. */
export function reportOf({ metadata }: Pick<SyncRun, 'metadata'>): RunReport {
  const report = recordOf(metadata.report);
  const rejected = recordOf(report.rejected);
  const items = recordOf(metadata.items);
  const contents = recordOf(report.contents);
  return {
    retryOf: textOf(metadata.retry_of),
    filename: textOf(metadata.filename),
    bytes: numberOf(report.bytes) ?? numberOf(metadata.byte_size),
    seconds: numberOf(report.seconds),
    recordsPerSecond: numberOf(metadata.records_per_second),
    stored: Object.entries(recordOf(report.stored))
      .map(([kind, counts]) => storedOf(kind, recordOf(counts)))
      .filter(({ inserted, updated, unchanged }) => inserted + updated + unchanged > 0),
    items: ITEM_OUTCOMES.flatMap((outcome): [ItemOutcome, number][] => {
      const count = numberOf(items[outcome]) ?? 0;
      return count > 0 ? [[outcome, count]] : [];
    }),
    itemsRead: numberOf(items.read) ?? 0,
    samplesByType: countsOf(report.samples_by_type),
    rejectedTotal: numberOf(rejected.total) ?? 0,
    rejectedByReason: countsOf(rejected.by_reason),
    rejectedItems: Array.isArray(rejected.first) ? rejected.first.map(itemOf) : [],
    unsupported: countsOf(report.unsupported),
    unsupportedElements: countsOf(report.unsupported_elements),
    unsupportedFiles: countsOf(report.unsupported_files),
    contents: {
      elements: [...outcomesOf(contents.elements), ...outcomesOf(contents.parts)],
      files: outcomesOf(contents.files),
    },
  };
}

function outcomesOf(list: unknown): PartOutcome[] {
  if (!Array.isArray(list)) return [];
  return list.map((value) => {
    const row = recordOf(value);
    const count = (name: string) => numberOf(row[name]) ?? 0;
    const notImported = countsOf(row.not_imported);
    return {
      name: textOf(row.name) ?? '',
      read: count('read'),
      imported: count('imported'),
      rejected: count('rejected'),
      notImported,
    };
  });
}

function storedOf(kind: string, counts: Record<string, unknown>): StoredCounts {
  const count = (name: string) => numberOf(counts[name]) ?? 0;
  return { kind, inserted: count('inserted'), updated: count('updated'), unchanged: count('unchanged') };
}

function itemOf(value: unknown): RejectedItem {
  const item = recordOf(value);
  return {
    collection: textOf(item.collection) ?? '',
    index: numberOf(item.index) ?? 0,
    field: textOf(item.field),
    code: textOf(item.code) ?? '',
    detail: textOf(item.detail),
  };
}

function countsOf(value: unknown): [string, number][] {
  return Object.entries(recordOf(value))
    .filter((entry): entry is [string, number] => numberOf(entry[1]) !== undefined)
    .sort(([, a], [, b]) => b - a);
}
