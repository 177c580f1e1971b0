/** Plain JSON. Numbers stay numbers here; on the wire 64-bit integers become strings. */
export type Json = string | number | boolean | null | Json[] | { [member: string]: Json | undefined };
export type JsonObject = { [member: string]: Json | undefined };

/** `dataSource` of a point as the vendor writes it. */
export interface DataSource {
  recordingMethod?: string;
  platform?: string;
  device?: { formFactor?: string; manufacturer?: string; displayName?: string };
  application?: { packageName?: string; webClientId?: string; googleWebClientId?: string };
}

/** Sources that have a name here, in the order in which reconcile prefers them; others come last, by their members. */
export type SourceKey = 'watch' | 'tracker' | 'scale' | 'manual' | 'phone' | 'journal';

/** A point to be stored. */
export interface PointInput {
  /** Kebab-case id of the data type. */
  dataType: string;
  /** Default: made from the type, the time and the source. */
  id?: string;
  /** Start of an interval or session, instant of a sample; RFC 3339. */
  startTime?: string;
  /** Exclusive end of an interval or session. */
  endTime?: string;
  /** Date of a daily type, `YYYY-MM-DD`. */
  date?: string;
  /** Seconds ahead of UTC; default that of the account's zone; null: not known, left out of answers. */
  utcOffsetSeconds?: number | null;
  /** The type's value in the vendor's unit, or all members of the payload except those of time. */
  value: number | JsonObject;
  /** Default `tracker`. */
  source?: SourceKey | DataSource;
}

/** Which points to delete: of one type, by id, source or start (closed-open), all that are given. */
export interface PointSelection {
  dataType: string;
  ids?: string[];
  source?: SourceKey;
  from?: string;
  to?: string;
}
