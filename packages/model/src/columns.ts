import { COMPUTED_HASH, COMPUTED_SERIES } from './computed-samples.js';
import { mergeReplacements } from './merge-replacements.js';
import type { ProviderId } from './providers.js';
import { highHashOfId } from './pushed-id.js';
import type { Extremes, HealthRecord, SampleRecord, SourceIdentity } from './record.js';
import { SAMPLE_KIND_CODE } from './record.js';
import { hashOfId, NO_ID } from './sample-slot.js';
import type { ZoneObservation } from './time/zone-offset.js';

/** Value of `offsetMinutes` if the vendor reports no offset. */
export const NO_OFFSET = -32_768;

/**
 * Samples in columns instead of one object each. Threads exchange this form, and the writer copies it into the
 * database. Row `i` consists of element `i` of every array; `sourceIndex` points into the batch's `sources`.
 */
export interface SampleColumns {
  length: number;
  sourceIndex: Uint32Array;
  typeId: Int16Array;
  /** Codes of `SAMPLE_KIND_CODE`. */
  kind: Uint8Array;
  /** `hashOfId` of the vendor's id; `NO_ID` for samples without an id. */
  idHash: Int32Array;
  startMs: Float64Array;
  /** NaN for samples without an interval. */
  durationMs: Float64Array;
  /** {@link NO_OFFSET} if unknown. */
  offsetMinutes: Int16Array;
  value: Float64Array;
  /** Minimum and maximum by row, for the few samples that are means of many readings. */
  extremes?: Map<number, Extremes>;
  /** Ids of the pushed items that the rows came from. */
  pushed?: PushedItems;
}

/** Ids of pushed items, in columns parallel to their samples. */
export interface PushedItems {
  /** 1 if the row is a separate item; 0 if it is a part of a workout and follows the workout. */
  isItem: Uint8Array;
  /** `highHashOfId` of the item's id. The low part is the row's `idHash`. */
  high: Int32Array;
  /** Both parts of the parent's id. The low part is `NO_ID` for items without a parent. */
  parentLow: Int32Array;
  parentHigh: Int32Array;
}

/** Records that one call of the writer stores: samples in columns, all other records as objects. */
export interface RecordBatch {
  sources: SourceIdentity[];
  samples: SampleColumns;
  records: Exclude<HealthRecord, SampleRecord>[];
  /**
   * Phone that pushed the batch, and the time at which the service received the batch. `device` is empty if the phone
   * sent no name. Undefined for data that was not pushed.
   */
  pushedBy?: { provider: ProviderId; device: string; receivedAtMs?: number };
  /**
   * Time zones that the items contain. Includes zones whose offset is already in the batch, because a zone also covers
   * later clock changes.
   */
  zones?: ZoneObservation[];
}

/**
 * Number of records other than samples that fill a batch. Each of these records is an object and takes far more memory
 * than a sample.
 */
const MAX_RECORDS = 1_000;

/** Collects records into batches and merges equal sources. */
export class BatchBuilder {
  private sources: SourceIdentity[] = [];
  private sourceIndexes = new Map<string, number>();
  // Adapters reuse the object of a source, so this lookup avoids building a key for each record.
  private knownObjects = new Map<SourceIdentity, number>();
  private columns = allocate(0);
  private records: Exclude<HealthRecord, SampleRecord>[] = [];

  /** Number of rows of a batch. The last sample that fits may have a computed sample. */
  private readonly rows: number;

  /** @param capacity number of samples that fill a batch */
  constructor(private readonly capacity: number) {
    this.rows = capacity + 1;
  }

  /** True if the next sample does not fit, or other records have reached their limit. */
  get full(): boolean {
    return this.columns.length >= this.capacity || this.records.length >= MAX_RECORDS;
  }

  get empty(): boolean {
    return this.columns.length === 0 && this.records.length === 0;
  }

  /** Adds one record. The caller must take the batch when it is {@link full}. */
  add(record: HealthRecord): void {
    if (record.kind !== 'sample') {
      this.records.push(record);
      return;
    }
    const { source, typeId, sampleKind, startMs, durationMs, offsetMinutes, value, externalId, extremes } = record;
    const kindCode = SAMPLE_KIND_CODE[sampleKind];
    this.addSample(source, typeId, kindCode, startMs, durationMs, offsetMinutes, value, externalId);
    if (extremes !== undefined) {
      this.columns.extremes ??= new Map();
      this.columns.extremes.set(this.columns.length - 1, extremes);
    }
    if (record.computed !== undefined) this.addComputed(record.computed);
  }

  /**
   * Adds the computed sample of the last added sample. Both are in one batch even if the batch is then full, because
   * the computed sample follows the deletion of the other sample.
   */
  addComputed(value: number): void {
    const { columns } = this;
    const from = columns.length - 1;
    const row = columns.length++;
    columns.sourceIndex[row] = columns.sourceIndex[from] as number;
    columns.typeId[row] = COMPUTED_SERIES.typeId;
    columns.kind[row] = SAMPLE_KIND_CODE.sample;
    columns.startMs[row] = columns.startMs[from] as number;
    columns.durationMs[row] = columns.durationMs[from] as number;
    columns.offsetMinutes[row] = columns.offsetMinutes[from] as number;
    columns.value[row] = value;
    columns.idHash[row] = COMPUTED_HASH;
  }

  /** Like {@link add} for a sample, without an object. For adapters that read thousands of samples. */
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
    if (this.columns.length === 0) this.columns = allocate(this.rows);
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
   * Marks the last added sample as an item that a phone pushed.
   * @param id the item's id, equal to the id that the sample was added with
   * @param parentId the id of the item that contains the marked item
   */
  markPushed(id: string | undefined, parentId: string | undefined): void {
    this.columns.pushed ??= {
      isItem: new Uint8Array(this.rows),
      high: new Int32Array(this.rows),
      parentLow: new Int32Array(this.rows).fill(NO_ID),
      parentHigh: new Int32Array(this.rows),
    };
    const { pushed } = this.columns;
    const row = this.columns.length - 1;
    pushed.isItem[row] = 1;
    if (id !== undefined) pushed.high[row] = highHashOfId(id);
    if (parentId === undefined || parentId === id) return;
    pushed.parentLow[row] = hashOfId(parentId);
    pushed.parentHigh[row] = highHashOfId(parentId);
  }

  /** Returns the collected batch and starts a new one. */
  take(): RecordBatch {
    const batch = { sources: this.sources, samples: this.columns, records: this.records };
    this.sources = [];
    this.sourceIndexes = new Map();
    this.knownObjects = new Map();
    this.columns = allocate(0);
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

/** Key that two sources share if and only if they are the same source of one user. */
export function sourceKey(source: SourceIdentity): string {
  const { provider, account = '', deviceModel = '', writer = '', deviceId = '' } = source;
  return `${provider}\u0000${account}\u0000${deviceModel}\u0000${writer}\u0000${deviceId}`;
}

/** Number of records that become columns in a few milliseconds. */
const RECORDS_AT_ONCE = 16_384;

/** Returns one batch of all records. */
export function batchOf(records: Iterable<HealthRecord>): RecordBatch {
  const work = batchInPieces([...records]);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Like {@link batchOf}, but yields between pieces of work, for long lists. */
export function* batchInPieces(records: readonly HealthRecord[]): Generator<void, RecordBatch> {
  const all = mergeReplacements(records);
  yield;
  const computed = all.reduce(
    (count, record) => count + Number(record.kind === 'sample' && record.computed !== undefined),
    0,
  );
  const builder = new BatchBuilder(Math.max(1, all.length + computed));
  for (const [index, record] of all.entries()) {
    if (index % RECORDS_AT_ONCE === 0) yield;
    builder.add(record);
  }
  return builder.take();
}

/** Returns the rows that `isKept` accepts, in new columns. */
export function keepRows(samples: SampleColumns, isKept: (row: number) => boolean): SampleColumns {
  const rows: number[] = [];
  for (let row = 0; row < samples.length; row++) if (isKept(row)) rows.push(row);
  const retained = allocate(rows.length);
  retained.length = rows.length;
  rows.forEach((from, row) => {
    for (const column of COLUMNS) retained[column][row] = samples[column][from] as number;
    const extremes = samples.extremes?.get(from);
    if (extremes === undefined) return;
    retained.extremes ??= new Map();
    retained.extremes.set(row, extremes);
  });
  return retained;
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
