import { type ProviderId, type SourceIdentity, sourceKey } from '@healthd/model';
import type pg from 'pg';
import { type QueryPart, readTogether } from '../../platform/database/index.js';

/** Tables of sessions that can be deleted individually. */
export type SessionTable = 'workout' | 'sleep_session' | 'menstrual_cycle';

/** A session that was deleted through this service. */
export interface Tombstone {
  id: string;
  deletedAt: Date;
  kind: SessionTable;
  provider: ProviderId;
  /** Identity key of its source without the vendor account. */
  sourceKey: string;
  /** Vendor account of its source; undefined for pushes, files and unknown accounts. */
  account?: string;
  /** Identity key of its source without the device. */
  writerKey: string;
  externalId?: string;
  workoutType?: string;
  startMs: number;
  endMs: number;
}

/** A deleted session: the row's id and the span that contains its parts. */
export interface DeletedSession {
  id: string;
  sourceId: number;
  externalId: string | null;
  workoutType: string | null;
  startAt: Date;
  endAt: Date;
  /** For sleep: true if the session was too long for a nap. */
  isNight?: boolean;
}

/** Stores a tombstone, so that a new delivery does not restore the session. */
export async function addTombstone(
  client: pg.ClientBase,
  userKey: number,
  kind: SessionTable,
  { id, sourceId, externalId, workoutType, startAt, endAt, isNight }: DeletedSession,
): Promise<void> {
  await client.query(
    `insert into session_tombstone (user_key, id, kind, provider, account, device_model, writer, device_id,
                                    external_id, workout_type, start_at, end_at, is_night)
     select user_key, $3, $4, provider, account, device_model, writer, device_id, $5, $6, $7, $8, $9
       from data_source where user_key = $1 and source_id = $2`,
    [userKey, sourceId, id, kind, externalId, workoutType, startAt, endAt, isNight ?? null],
  );
}

/**
 * Deletes a tombstone, so that the next delivery stores the session again. Returns false if no tombstone has this id.
 */
export async function removeTombstone(
  client: pg.ClientBase,
  userKey: number,
  kind: SessionTable,
  id: string,
): Promise<boolean> {
  const { rowCount } = await client.query(
    'delete from session_tombstone where user_key = $1 and kind = $2 and id = $3',
    [userKey, kind, id],
  );
  return rowCount === 1;
}

interface TombstoneRow {
  id: string;
  deleted_ms: number;
  kind: SessionTable;
  provider: SourceIdentity['provider'];
  account: string | null;
  device_model: string | null;
  writer: string | null;
  device_id: string | null;
  external_id: string | null;
  workout_type: string | null;
  start_ms: number;
  end_ms: number;
}

/** All tombstones of a user. */
export const TOMBSTONES: QueryPart<TombstoneRow, Tombstone[]> = {
  sql: `select id, (extract(epoch from deleted_at) * 1000)::float8 as deleted_ms, kind, provider, account, device_model, writer,
               device_id, external_id, workout_type, (extract(epoch from start_at) * 1000)::float8 as start_ms,
               (extract(epoch from end_at) * 1000)::float8 as end_ms
          from session_tombstone where user_key = $1`,
  read: (rows) =>
    rows.map((row) => ({
      id: row.id,
      // Whole milliseconds, because the driver reads timestamps in milliseconds.
      deletedAt: new Date(Math.floor(row.deleted_ms)),
      kind: row.kind,
      provider: row.provider,
      account: row.account ?? undefined,
      sourceKey: sourceKey({
        provider: row.provider,
        deviceModel: row.device_model ?? undefined,
        writer: row.writer ?? undefined,
        deviceId: row.device_id ?? undefined,
      }),
      writerKey: sourceKey({ provider: row.provider, writer: row.writer ?? undefined }),
      externalId: row.external_id ?? undefined,
      workoutType: row.workout_type ?? undefined,
      startMs: Math.floor(row.start_ms),
      endMs: Math.floor(row.end_ms),
    })),
};

/** Loads {@link TOMBSTONES}. */
export async function loadTombstones(client: pg.ClientBase, userKey: number): Promise<Tombstone[]> {
  return (await readTogether(client, 'records-load-tombstones', { tombstones: TOMBSTONES }, [userKey])).tombstones;
}
