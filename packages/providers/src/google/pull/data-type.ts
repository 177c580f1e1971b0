import type { Extremes, SeriesCode } from '@healthd/model';
import type { PayloadObject } from '../../payload/index.js';

/** Form of a point's time. Sessions are intervals that can only be requested by local time. */
export type RecordForm = 'interval' | 'sample' | 'daily' | 'session';

/** Mapping of one payload value. */
export interface SeriesValue {
  series: SeriesCode;
  /** Value in the series' unit; undefined if the payload lacks it. */
  ofPoint(payload: PayloadObject): number | undefined;
  /** Like `ofPoint`, for a roll-up payload; absent if the type has no roll-ups. */
  ofRollUp?(payload: PayloadObject): number | undefined;
  /** Minimum and maximum of a roll-up window; undefined if the payload lacks one of them. */
  extremesOfRollUp?(payload: PayloadObject): Extremes | undefined;
}

/** Vendor data type whose points become samples. */
export interface SeriesType {
  /** ID in paths and notifications, for example `heart-rate`. */
  id: string;
  form: RecordForm;
  values: readonly SeriesValue[];
  /** False if only the merged stream can be read. */
  listable: boolean;
  /** Maximum range of a roll-up; undefined if the type has no roll-ups. */
  rollUpDays?: number;
  /** Maximum number of days of raw points in one read. */
  chunkDays: number;
  /** True if the merged stream of some accounts lacks points that the sources have. */
  listWhenEmpty: boolean;
  /** True if catalog versions differ about the type's operations. An unsupported operation then returns no data. */
  optional: boolean;
  /** True if a point may contain only values that are not stored. */
  mayBeEmpty: boolean;
}

/** Returns the payload member of a point: `heartRate` for `heart-rate`. */
export function payloadMember(id: string): string {
  return id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the type's name in filters: `heart_rate`. */
export function filterName(id: string): string {
  return id.replaceAll('-', '_');
}
