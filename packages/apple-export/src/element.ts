import type { Interned } from './intern.js';

/** An element that was read whole. */
export interface ExportElement {
  name: string;
  attributes: Map<string, string>;
  children: ExportElement[];
}

/**
 * A `Record` at the top level. The scanner fills one object again and again: read it inside the callback, keep nothing
 * but the interned texts.
 */
export interface ExportRecord {
  /** Position among the file's Records, from 0. */
  index: number;
  type: Interned | undefined;
  unit: Interned | undefined;
  sourceName: Interned | undefined;
  sourceVersion: Interned | undefined;
  device: Interned | undefined;
  /** NaN when `value` is absent or no number. */
  value: number;
  /** The value where it is no number, e.g. the name of a sleep stage; undefined when absent or a number. */
  valueText: Interned | undefined;
  /** Milliseconds since 1970 UTC; NaN when {@link hasStart} is false or the text is no date. */
  startMs: number;
  startOffsetMinutes: number;
  endMs: number;
  endOffsetMinutes: number;
  hasStart: boolean;
  hasEnd: boolean;
  hasValue: boolean;
  /** Metadata under the keys that the reader was asked for; the last one where a key repeats. */
  metadata: Map<string, string>;
}

/** A Record of which nothing is known yet. */
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
  };
}
