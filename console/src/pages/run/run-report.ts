import type { SyncRun } from '@healthd/api';

export interface StoredCounts {
  kind: string;
  inserted: number;
  updated: number;
  unchanged: number;
}

/** One item of the file that could not be taken. */
export interface RejectedItem {
  collection: string;
  /** Position in the collection, from 0. */
  index: number;
  field: string | undefined;
  code: string;
  detail: string | undefined;
}

/** What a run says about itself in its metadata; parts it does not tell are empty. */
export interface RunReport {
  filename: string | undefined;
  bytes: number | undefined;
  seconds: number | undefined;
  recordsPerSecond: number | undefined;
  stored: StoredCounts[];
  samplesByType: [string, number][];
  rejectedTotal: number;
  rejectedByReason: [string, number][];
  /** The first hundred. */
  rejectedItems: RejectedItem[];
  /** Records without a place in the data model, by the vendor's type. */
  unsupported: [string, number][];
}

/** Reads the report of a run. Kinds without records are left out, counts are sorted, the largest first. */
export function reportOf({ metadata }: Pick<SyncRun, 'metadata'>): RunReport {
  const report = recordOf(metadata.report);
  const rejected = recordOf(report.rejected);
  return {
    filename: textOf(metadata.filename),
    bytes: numberOf(report.bytes) ?? numberOf(metadata.byte_size),
    seconds: numberOf(report.seconds),
    recordsPerSecond: numberOf(metadata.records_per_second),
    stored: Object.entries(recordOf(report.stored))
      .map(([kind, counts]) => storedOf(kind, recordOf(counts)))
      .filter(({ inserted, updated, unchanged }) => inserted + updated + unchanged > 0),
    samplesByType: countsOf(report.samples_by_type),
    rejectedTotal: numberOf(rejected.total) ?? 0,
    rejectedByReason: countsOf(rejected.by_reason),
    rejectedItems: Array.isArray(rejected.first) ? rejected.first.map(itemOf) : [],
    unsupported: countsOf(report.unsupported),
  };
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

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
