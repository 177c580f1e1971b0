import { localDayNumber, NIGHT_SECONDS, SLEEP_LENGTH } from '@healthd/model';
import type pg from 'pg';
import { NAP_REACH_MS } from '../decide/nap.js';
import type { DecidedNight, StoredSession } from '../decide/sleep.js';
import { CHANGE, type Change } from '../facts/change.js';
import { addChangedRows, type ChangedRow, changedColumns } from '../facts/changes.js';
import { type EventColumn, type EventValues, selectedColumns, storedValues } from '../facts/events/event-columns.js';
import { deletedNightEnds } from '../facts/pushed/pushed-tombstones.js';
import { SESSION_COLUMNS } from '../facts/sleep/session-columns.js';
import type { SourceSpan } from '../facts/sleep/source-span.js';
import type { WriteContext } from '../facts/write-context.js';

/** Loads a source's assembled sessions that start in a span, by time. */
export async function loadAssembled(
  { client, userKey, timeline }: WriteContext,
  span: SourceSpan,
): Promise<(StoredSession & { values: EventValues })[]> {
  const { rows } = await client.query<Record<string, unknown> & { id: string }>(
    `select s.id, ${selectedColumns(ASSEMBLED.columns)}
       from sleep_session s
      where s.user_key = $1 and s.source_id = $2 and s.assembled
        and s.start_at between to_timestamp($3::float8 / 1000) and to_timestamp($4::float8 / 1000)
      order by s.start_at`,
    [userKey, span.sourceId, span.fromMs, span.toMs],
  );
  return rows.map((row) => {
    const values = storedValues(ASSEMBLED.columns, row);
    const endMs = values.end_at as number;
    return {
      id: row.id,
      externalId: (values.external_id as string | null) ?? undefined,
      startMs: values.start_at as number,
      endMs,
      offsetMinutes: (values.offset_minutes as number | null) ?? timeline.offsetAt(endMs),
      asleepSeconds: (values.asleep_seconds as number | null) ?? undefined,
      wakeDate: values.wake_date as string,
      isNap: values.is_nap as boolean,
      archivedAs:
        values.summary_date === null
          ? undefined
          : { date: values.summary_date as string, isNap: values.counted_as_nap === true },
      values,
    };
  });
}

/**
 * Returns the local end days of a source's deleted nights, so that deleting a night does not turn a nap into a night.
 * Older tombstones do not record whether the session was a night, so the session's length decides.
 */
export async function deletedNightDays(
  { client, userKey, timeline }: WriteContext,
  span: SourceSpan,
): Promise<number[]> {
  const { sourceId, fromMs, toMs } = span;
  const { rows } = await client.query<{ end_ms: number }>(
    `select extract(epoch from t.end_at)::float8 * 1000 as end_ms
       from session_tombstone t
       join data_source d on d.user_key = t.user_key and d.source_id = $2 and d.provider = t.provider
        and d.device_model is not distinct from t.device_model and d.writer is not distinct from t.writer
        and d.device_id is not distinct from t.device_id
      where t.user_key = $1 and t.kind = 'sleep_session'
        and coalesce(t.is_night, t.end_at - t.start_at >= ${NIGHT_SECONDS} * interval '1 s')
        and t.end_at between to_timestamp($3::float8 / 1000) and to_timestamp($4::float8 / 1000)`,
    [userKey, sourceId, fromMs, toMs],
  );
  const ends = [...rows.map(({ end_ms }) => end_ms), ...(await deletedNightEnds(client, userKey, span))];
  return ends.map((endMs) => localDayNumber(endMs, timeline.offsetAt(endMs)));
}

/** Inverts the nap status of sessions. */
export async function reclassifyNaps(client: pg.ClientBase, userKey: number, sessions: StoredSession[]): Promise<void> {
  if (sessions.length === 0) return;
  const { rows } = await client.query<ChangedRow>(
    `update sleep_session s set is_nap = not is_nap, updated_at = now()
      where s.user_key = $1 and s.id = any ($2::uuid[]) returning ${changedColumns('sleep_session')}`,
    [userKey, sessions.map(({ id }) => id)],
  );
  addChangedRows(client, userKey, 'sleep_session', CHANGE.corrected, rows);
}

/**
 * Loads the sessions whose nap status the span may change, and all sessions that determine this status. If some of
 * these sessions were missing, a nap could become a night.
 */
export function loadSessions(
  context: WriteContext,
  { sourceId, fromMs, toMs }: SourceSpan,
): ReturnType<typeof loadAssembled> {
  return loadAssembled(context, { sourceId, fromMs: nearFrom(fromMs), toMs: toMs + 2 * NAP_REACH_MS });
}

/** Returns the earliest start of the sessions that {@link loadSessions} loads for a span. */
export function nearFrom(fromMs: number): number {
  return fromMs - 2 * NAP_REACH_MS - SLEEP_LENGTH.maxMs;
}

/** Deletes sessions that no longer match an assembled session. @param change the reason of the deletion */
export async function deleteStoredSessions(
  client: pg.ClientBase,
  userKey: number,
  ids: readonly string[],
  change: Change,
): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await client.query<ChangedRow>(
    `delete from sleep_session s where s.user_key = $1 and s.id = any ($2::uuid[])
     returning ${changedColumns('sleep_session')}`,
    [userKey, ids],
  );
  addChangedRows(client, userKey, 'sleep_session', change, rows);
}

/** Columns of assembled sessions. */
export const ASSEMBLED = {
  table: 'sleep_session' as const,
  columns: [
    { name: 'assembled', type: 'boolean', value: () => true },
    { name: 'external_id', type: 'text', value: ({ externalId }) => externalId },
    { name: 'wake_date', type: 'date', value: ({ wakeDate }) => wakeDate },
    { name: 'counted_as_nap', type: 'boolean', value: ({ archivedAs }) => archivedAs?.isNap },
    { name: 'summary_date', type: 'date', value: ({ archivedAs }) => archivedAs?.date },
    ...SESSION_COLUMNS,
  ] satisfies EventColumn<DecidedNight>[],
};
