/** Plain JSON. Numbers are numbers here; responses contain 64-bit integers as strings. */
export type Json = string | number | boolean | null | Json[] | { [member: string]: Json | undefined };
export type JsonObject = { [member: string]: Json | undefined };

/** `dataSource` of a point in the vendor's format. */
export interface DataSource {
  recordingMethod?: string;
  platform?: string;
  device?: { formFactor?: string; manufacturer?: string; displayName?: string };
  application?: { packageName?: string; webClientId?: string; googleWebClientId?: string };
}

/**
 * Named sources in reconcile's order of preference. All other sources rank below them, in the order of their first use.
 */
export type SourceKey = 'watch' | 'tracker' | 'scale' | 'manual' | 'phone' | 'journal';

/** A point to be stored. */
export interface PointInput {
  /** Kebab-case id of the data type. */
  dataType: string;
  /** Default: derived from type, time and source. */
  id?: string;
  /** Start of an interval or session, instant of a sample; RFC 3339. */
  startTime?: string;
  /** Exclusive end of an interval or session. */
  endTime?: string;
  /** Date of a daily type, `YYYY-MM-DD`. */
  date?: string;
  /**
   * Seconds ahead of UTC. Default: the offset of the account's time zone. Null means unknown; responses then omit it.
   */
  utcOffsetSeconds?: number | null;
  /** The type's value in the vendor's unit, or all payload members except the times. */
  value: number | JsonObject;
  /** Default `tracker`. */
  source?: SourceKey | DataSource;
}

/**
 * Selects points of one type to delete, by id, source and start (half-open range). All specified members must match.
 */
export interface PointSelection {
  dataType: string;
  ids?: string[];
  source?: SourceKey;
  from?: string;
  to?: string;
}
