import type { Extremes, SeriesCode } from '@healthd/model';
import type { PayloadObject } from '../../payload/index.js';

/** Where a point of a type has its time. Sessions are intervals that can be requested by wall-clock time only. */
export type RecordForm = 'interval' | 'sample' | 'daily' | 'session';

/** What one value of a payload is stored as. */
export interface SeriesValue {
  series: SeriesCode;
  /** In the unit of the series; undefined when the payload has no such value. */
  ofPoint(payload: PayloadObject): number | undefined;
  /** The same of a roll-up's payload; absent for types that are not rolled up. */
  ofRollUp?(payload: PayloadObject): number | undefined;
  /** Least and greatest reading of a roll-up's window; undefined when the payload lacks one of them. */
  extremesOfRollUp?(payload: PayloadObject): Extremes | undefined;
}

/** One of the vendor's data types whose points become samples. */
export interface SeriesType {
  /** As in paths and notifications, e.g. `heart-rate`. */
  id: string;
  form: RecordForm;
  values: readonly SeriesValue[];
  /** False where only the merged stream can be read. */
  listable: boolean;
  /** Longest range of one roll-up; undefined for types that are not rolled up. */
  rollUpDays?: number;
  /** Days of raw points that one reading may hold. */
  chunkDays: number;
  /** The merged stream of some accounts lacks points of this type that the sources have. */
  listWhenEmpty: boolean;
  /** Versions of the vendor's catalogue differ on how it can be read: where it cannot, there is none. */
  optional: boolean;
  /** A point without any of the values is no fault: it has others, which are not stored. */
  mayBeEmpty: boolean;
}

/** The member of a point that holds the payload: `heart-rate` is in `heartRate`. */
export function payloadMember(id: string): string {
  return id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The type's name in filters: `heart_rate`. */
export function filterName(id: string): string {
  return id.replaceAll('-', '_');
}
