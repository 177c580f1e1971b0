import type { ProviderId } from './providers.js';
import { highHashOfId } from './pushed-id.js';
import type { Extremes, HealthRecord, SampleRecord, SourceIdentity } from './record.js';
import { SAMPLE_KIND_CODE } from './record.js';
import { hashOfId, NO_ID } from './sample-slot.js';
import type { ZoneSighting } from './time/zone-offset.js';

/** The value of `offsetMinutes` for "the vendor does not say". */
export const NO_OFFSET = -32_768;

/**
 * Samples side by side instead of one object each: what crosses threads and what the writer copies into the database.
 * Row `i` is made of element `i` of every array; `sourceIndex` points into the batch's `sources`.
 */
export interface SampleColumns {
  length: number;
  sourceIndex: Uint32Array;
  typeId: Int16Array;
  /** Codes of `SAMPLE_KIND_CODE`. */
  kind: Uint8Array;
  /** `hashOfId` of the vendor's id; `NO_ID` where there is none. */
  idHash: Int32Array;
  startMs: Float64Array;
  /** NaN where the sample has no interval. */
  durationMs: Float64Array;
  /** {@link NO_OFFSET} where unknown. */
  offsetMinutes: Int16Array;
  value: Float64Array;
  /** Of the few samples that are means of many readings, by row. */
  extremes?: Map<number, Extremes>;
  /** Which items of a push the rows are. */
  pushed?: PushedItems;
}

/** Ids of pushed items, side by side as the samples that they became. */
export interface PushedItems {
  /** 1 where the row is an item of its own; 0 for a part of a workout, which goes with it. */
  isItem: Uint8Array;
  /** `highHashOfId` of the item's id; its other part is the row's `idHash`. */
  high: Int32Array;
  /** Both parts of the id of the item's parent; `NO_ID` in the first where it has none. */
  parentLow: Int32Array;
  parentHigh: Int32Array;
}

/** What one call of the writer stores: samples in columns, everything else as records. */
export interface RecordBatch {
  sources: SourceIdentity[];
  samples: SampleColumns;
  records: Exclude<HealthRecord, SampleRecord>[];
  /** Which phone pushed the batch, under an empty name if it gave none; undefined for what was not pushed. */
  pushedBy?: { provider: ProviderId; device: string };
  /**
   * Zones that items named, also those whose offset is in the batch already: they say what holds after a clock change.
   */
  zones?: ZoneSighting[];
}

/** Records other than samples that make a batch full: each is an object, so that many of them take far more memory. */
const MAX_RECORDS = 1_000;

/** Gathers records into batches; sources are distinguished by the members that make their identity. */
export class BatchBuilder {
  private sources: SourceIdentity[] = [];
  private sourceIndexes = new Map<string, number>();
  // Adapters hand over the same object for the same source; finding it again then costs no text.
  private knownObjects = new Map<SourceIdentity, number>();
  private columns: SampleColumns;
  private records: Exclude<HealthRecord, SampleRecord>[] = [];

  /** @param capacity samples one batch holds at most */
  constructor(private readonly capacity: number) {
    this.columns = allocate(capacity);
  }

  /** True when the next sample would not fit, or other records have piled up. */
  get full(): boolean {
    return this.columns.length >= this.capacity || this.records.length >= MAX_RECORDS;
  }

  get empty(): boolean {
    return this.columns.length === 0 && this.records.length === 0;
  }

  /** Adds one record. The caller takes the batch when {@link full}. */
  add(record: HealthRecord): void {
    if (record.kind !== 'sample') {
      this.records.push(record);
      return;
    }
    const { source, typeId, sampleKind, startMs, durationMs, offsetMinutes, value, externalId, extremes } = record;
    const kindCode = SAMPLE_KIND_CODE[sampleKind];
    this.addSample(source, typeId, kindCode, startMs, durationMs, offsetMinutes, value, externalId);
    if (extremes === undefined) return;
    this.columns.extremes ??= new Map();
    this.columns.extremes.set(this.columns.length - 1, extremes);
  }

  /** As {@link add} of a sample, for adapters that read thousands and need no object of each. */
  addSample(
    source: SourceIdentity,
    typeId: number,
    kindCode: number,
    startMs: number,
    durationMs: number | undefined,
    offsetMinutes: number | undefined,
    value: number,
    externalId?: string,
  ): void {
    const row = this.columns.length++;
    this.columns.sourceIndex[row] = this.indexOf(source);
    this.columns.typeId[row] = typeId;
    this.columns.kind[row] = kindCode;
    this.columns.startMs[row] = startMs;
    this.columns.durationMs[row] = durationMs ?? Number.NaN;
    this.columns.offsetMinutes[row] = offsetMinutes ?? NO_OFFSET;
    this.columns.value[row] = value;
    this.columns.idHash[row] = externalId === undefined ? NO_ID : hashOfId(externalId);
  }

  /**
   * Says that the last added sample is an item that a phone pushed.
   * @param id the item's id, as it was added with
   * @param parentId the id of the item that it is a part of
   */
  markPushed(id: string | undefined, parentId: string | undefined): void {
    this.columns.pushed ??= {
      isItem: new Uint8Array(this.capacity),
      high: new Int32Array(this.capacity),
      parentLow: new Int32Array(this.capacity).fill(NO_ID),
      parentHigh: new Int32Array(this.capacity),
    };
    const { pushed } = this.columns;
    const row = this.columns.length - 1;
    pushed.isItem[row] = 1;
    if (id !== undefined) pushed.high[row] = highHashOfId(id);
    if (parentId === undefined || parentId === id) return;
    pushed.parentLow[row] = hashOfId(parentId);
    pushed.parentHigh[row] = highHashOfId(parentId);
  }

  /** Hands over what was gathered and starts again. */
  take(): RecordBatch {
    const batch = { sources: this.sources, samples: this.columns, records: this.records };
    this.sources = [];
    this.sourceIndexes = new Map();
    this.knownObjects = new Map();
    this.columns = allocate(this.capacity);
    this.records = [];
    return batch;
  }

  private indexOf(source: SourceIdentity): number {
    const known = this.knownObjects.get(source);
    if (known !== undefined) {
      this.sources[known] = source;
      return known;
    }
    const key = sourceKey(source);
    let index = this.sourceIndexes.get(key);
    if (index === undefined) {
      index = this.sources.push(source) - 1;
      this.sourceIndexes.set(key, index);
    } else {
      this.sources[index] = source;
    }
    this.knownObjects.set(source, index);
    return index;
  }
}

/** A text equal for two sources exactly when they are the same source of one user. */
export function sourceKey(source: SourceIdentity): string {
  const { provider, account = '', deviceModel = '', writer = '', deviceId = '' } = source;
  return `${provider}\u0000${account}\u0000${deviceModel}\u0000${writer}\u0000${deviceId}`;
}

/** One batch of the given records. */
export function batchOf(records: Iterable<HealthRecord>): RecordBatch {
  const all = [...records];
  const builder = new BatchBuilder(Math.max(1, all.length));
  for (const record of all) builder.add(record);
  return builder.take();
}

/** The rows of some samples that are kept, in new columns. */
export function keepRows(samples: SampleColumns, isKept: (row: number) => boolean): SampleColumns {
  const rows: number[] = [];
  for (let row = 0; row < samples.length; row++) if (isKept(row)) rows.push(row);
  const kept = allocate(rows.length);
  kept.length = rows.length;
  rows.forEach((from, row) => {
    for (const column of COLUMNS) kept[column][row] = samples[column][from] as number;
    const extremes = samples.extremes?.get(from);
    if (extremes === undefined) return;
    kept.extremes ??= new Map();
    kept.extremes.set(row, extremes);
  });
  return kept;
}

const COLUMNS = [
  'sourceIndex',
  'typeId',
  'kind',
  'idHash',
  'startMs',
  'durationMs',
  'offsetMinutes',
  'value',
] as const satisfies readonly (keyof SampleColumns)[];

function allocate(capacity: number): SampleColumns {
  return {
    length: 0,
    sourceIndex: new Uint32Array(capacity),
    typeId: new Int16Array(capacity),
    kind: new Uint8Array(capacity),
    idHash: new Int32Array(capacity),
    startMs: new Float64Array(capacity),
    durationMs: new Float64Array(capacity),
    offsetMinutes: new Int16Array(capacity),
    value: new Float64Array(capacity),
  };
}
