import type { Interned } from './intern.js';

/** An element that was read completely. */
export interface ExportElement {
  name: string;
  attributes: Map<string, string>;
  children: ExportElement[];
}

/** Maximum number of beats to store of one record. Genuine lists have about 60. */
const MAX_BEATS = 1_001;

/** Beats of a variability record's `HeartRateVariabilityMetadataList`, in file order. */
export interface BeatList {
  /** Number of beats; more than the arrays have if the record has too many beats. */
  length: number;
  /** Heart rate of the interval that ends at the beat; NaN if it is not a number. */
  readonly bpm: Float64Array;
  /** Milliseconds since noon or midnight; NaN if the time has no fraction of a second or is not readable. */
  readonly timeMs: Float64Array;
}

/**
 * A top-level `Record`. The scanner reuses one object: read it inside the callback, and retain only the interned texts.
 */
export interface ExportRecord {
  /** Position among the file's Records, from 0. */
  index: number;
  type: Interned | undefined;
  unit: Interned | undefined;
  sourceName: Interned | undefined;
  sourceVersion: Interned | undefined;
  device: Interned | undefined;
  /** NaN if `value` is missing or not a number. */
  value: number;
  /** The value if it is not a number, e.g. the name of a sleep stage; otherwise undefined. */
  valueText: Interned | undefined;
  /** Milliseconds since 1970 UTC; NaN if {@link hasStart} is false or the text is not a date. */
  startMs: number;
  startOffsetMinutes: number;
  endMs: number;
  endOffsetMinutes: number;
  hasStart: boolean;
  hasEnd: boolean;
  hasValue: boolean;
  /** Metadata under the requested keys; the last value of a repeated key. */
  metadata: Map<string, string>;
  /** Empty unless `beatLists` was requested. */
  beats: BeatList;
}

/** Returns an empty Record. */
export function emptyRecord(): ExportRecord {
  return {
    index: -1,
    type: undefined,
    unit: undefined,
    sourceName: undefined,
    sourceVersion: undefined,
    device: undefined,
    value: Number.NaN,
    valueText: undefined,
    startMs: Number.NaN,
    startOffsetMinutes: 0,
    endMs: Number.NaN,
    endOffsetMinutes: 0,
    hasStart: false,
    hasEnd: false,
    hasValue: false,
    metadata: new Map(),
    beats: { length: 0, bpm: new Float64Array(MAX_BEATS), timeMs: new Float64Array(MAX_BEATS) },
  };
}
