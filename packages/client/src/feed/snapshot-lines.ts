/** Kinds of rows in a snapshot. */
export const ROW_KINDS = ['samples', 'sleep', 'workout', 'menstrual_cycle', 'health_score'] as const;
export type RowKind = (typeof ROW_KINDS)[number];

/** First line of a snapshot. */
export interface SnapshotHead {
  kind: 'snapshot';
  user_id: string;
  /** Changes of the user up to this position are in the snapshot. */
  position: number;
  /** Continues the feed of all users. */
  cursor: string;
  /** Continues the feed of this user. */
  after: string;
  /** Key of the user's digests, in hexadecimal. */
  digest_key: string;
  /** Id of the key. Another id means that the key was replaced. */
  key_id: string;
  at: string;
  /** Texts that vendors require next to their data. */
  attribution?: { provider: string; text: string }[];
}

/** A device or app that measured data. */
export interface SnapshotSource {
  kind: 'source';
  id: string;
  provider: string;
  device_model: string | null;
  writer: string | null;
  device_id: string | null;
  device_type: string | null;
  software_version: string | null;
  name: string | null;
}

/** A sample, sleep, workout, menstrual cycle or score. */
export interface SnapshotRow {
  kind: RowKind;
  /** Series type, type of the workout or category of the score; null for menstrual cycles. */
  type: string | null;
  /** Local date, `YYYY-MM-DD`. */
  day: string;
  provider: string;
  /** Stable id, unique per user and kind. */
  id: string;
  /** Id of the source. */
  source: string;
  /** Instants in UTC. */
  start: string;
  end: string | null;
  value: number | null;
  /** Minutes by which local time was ahead of UTC. */
  offset: number | null;
  /** JSON text with the other values. Keep it exactly as it is, because the digest covers it. */
  details: string | null;
}

/** Last line of a snapshot. */
export interface SnapshotEnd {
  kind: 'end';
  rows: number;
}

export type SnapshotLine = SnapshotHead | SnapshotSource | SnapshotRow | SnapshotEnd;
