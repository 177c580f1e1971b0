import { randomUUID } from 'node:crypto';
import { fromDayNumber, type Rejected } from '@healthd/model';
import type pg from 'pg';
import { type EventColumn, type StoredEvents, upsertEvents } from '../event-store.js';
import type { OffsetTimeline } from '../offset-timeline.js';
import { type AssembledSession, assembleSessions, LONGEST_SESSION_MS } from './assembly.js';
import { isNap, type NapCandidate, wakeDay } from './nap.js';
import { loadStages, type SourceSpan, widenToWholeSessions } from './stage-store.js';

const MS_PER_DAY = 86_400_000;
/** Sessions this far away may decide whether one is a nap, and the other way round. */
const NAP_REACH_MS = 4 * MS_PER_DAY;

/** What assembling sessions anew changed. */
export interface Reassembled extends StoredEvents {
  unchanged: number;
  /** Wake dates whose sessions changed, before and after. */
  wakeDates: Set<string>;
  rejected: Rejected[];
}

interface StoredSession extends NapCandidate {
  id: string;
  externalId?: string;
  wakeDate: string;
  isNap: boolean;
}

interface SessionRow extends AssembledSession {
  id: string;
  sourceId: number;
  wakeDate: string;
  isNap: boolean;
}

/**
 * Assembles the sessions of one source around a span of changed stages. A session keeps the id of the stored one that it
 * overlaps most; stored sessions that nothing overlaps any more are removed.
 */
export async function reassemble(
  client: pg.ClientBase,
  userKey: number,
  changed: SourceSpan,
  gapMinutes: number,
  timeline: OffsetTimeline,
): Promise<Reassembled> {
  const span = await widenToWholeSessions(client, userKey, changed, gapMinutes);
  const assembled = assembleSessions(await loadStages(client, userKey, span), gapMinutes);
  const sound = assembled.filter(({ startMs, endMs }) => endMs - startMs <= LONGEST_SESSION_MS);
  const rejected = assembled.flatMap((session, index): Rejected[] =>
    sound.includes(session)
      ? []
      : [{ kind: 'rejected', collection: 'sleep_sessions', index, field: 'end', code: 'too_long' }],
  );

  const near = await loadSessions(client, userKey, span, timeline);
  const [inside, outside] = partition(near, ({ startMs, endMs }) => startMs <= span.toMs && endMs >= span.fromMs);
  const ids = keptIds(sound, inside);
  const candidates = sound.map((session) => ({
    ...session,
    offsetMinutes: session.offsetMinutes ?? timeline.offsetAt(session.endMs),
  }));
  const everyone: NapCandidate[] = [...candidates, ...outside];
  const rows = sound.map((session, index): SessionRow => {
    const candidate = candidates[index] as NapCandidate;
    return {
      ...session,
      id: ids[index] ?? randomUUID(),
      sourceId: span.sourceId,
      wakeDate: fromDayNumber(wakeDay(candidate)),
      isNap: isNap(candidate, everyone),
    };
  });
  const vanished = inside.filter(({ id }) => !ids.includes(id));
  const reclassified = outside.filter((session) => isNap(session, everyone) !== session.isNap);

  await deleteSessions(client, userKey, vanished);
  const stored = await upsertEvents(client, userKey, ASSEMBLED, rows);
  const moved = [...stored.inserted, ...stored.updated];
  await flipNaps(client, userKey, reclassified);
  return {
    inserted: stored.inserted,
    updated: [...stored.updated, ...reclassified.map(({ id }) => id)],
    unchanged: rows.length - moved.length,
    wakeDates: new Set([
      ...rows.filter(({ id }) => moved.includes(id)).map(({ wakeDate }) => wakeDate),
      ...inside.filter(({ id }) => moved.includes(id)).map(({ wakeDate }) => wakeDate),
      ...[...vanished, ...reclassified].map(({ wakeDate }) => wakeDate),
    ]),
    rejected,
  };
}

/** Ids of the stored sessions that the assembled ones continue, each used once: the vendor's id decides before overlap. */
function keptIds(sessions: AssembledSession[], stored: StoredSession[]): (string | undefined)[] {
  const free = new Set(stored);
  const named = sessions.map(({ externalId }) =>
    externalId === undefined ? undefined : stored.find((candidate) => candidate.externalId === externalId),
  );
  for (const session of named) if (session) free.delete(session);
  return sessions.map((session, index) => {
    const same = named[index];
    if (same) return same.id;
    let best: StoredSession | undefined;
    let bestMs = 0;
    for (const candidate of free) {
      const sharedMs = Math.min(session.endMs, candidate.endMs) - Math.max(session.startMs, candidate.startMs);
      if (sharedMs > bestMs) {
        best = candidate;
        bestMs = sharedMs;
      }
    }
    if (best) free.delete(best);
    return best?.id;
  });
}

async function loadSessions(
  client: pg.ClientBase,
  userKey: number,
  span: SourceSpan,
  timeline: OffsetTimeline,
): Promise<StoredSession[]> {
  const { rows } = await client.query<{
    id: string;
    start_ms: number;
    end_ms: number;
    offset_minutes: number | null;
    asleep_seconds: number | null;
    wake_date: string;
    is_nap: boolean;
    external_id: string | null;
  }>(
    `select id, external_id, extract(epoch from start_at)::float8 * 1000 as start_ms,
            extract(epoch from end_at)::float8 * 1000 as end_ms, offset_minutes, asleep_seconds, wake_date, is_nap
       from sleep_session
      where user_key = $1 and source_id = $2 and assembled
        and start_at between to_timestamp($3::float8 / 1000) and to_timestamp($4::float8 / 1000)
      order by start_at`,
    [userKey, span.sourceId, span.fromMs - NAP_REACH_MS, span.toMs + NAP_REACH_MS],
  );
  return rows.map((row) => ({
    id: row.id,
    externalId: row.external_id ?? undefined,
    startMs: Math.round(row.start_ms),
    endMs: Math.round(row.end_ms),
    offsetMinutes: row.offset_minutes ?? timeline.offsetAt(row.end_ms),
    asleepSeconds: row.asleep_seconds ?? undefined,
    wakeDate: row.wake_date,
    isNap: row.is_nap,
  }));
}

async function deleteSessions(client: pg.ClientBase, userKey: number, sessions: StoredSession[]): Promise<void> {
  if (sessions.length === 0) return;
  await client.query('delete from sleep_session where user_key = $1 and id = any ($2::uuid[])', [
    userKey,
    sessions.map(({ id }) => id),
  ]);
}

async function flipNaps(client: pg.ClientBase, userKey: number, sessions: StoredSession[]): Promise<void> {
  if (sessions.length === 0) return;
  await client.query(
    `update sleep_session set is_nap = not is_nap, updated_at = now()
      where user_key = $1 and id = any ($2::uuid[])`,
    [userKey, sessions.map(({ id }) => id)],
  );
}

function partition<T>(items: T[], belongs: (item: T) => boolean): [T[], T[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}

/** Stages as the API shows them. */
export function stagesJson(stages: AssembledSession['stages']): object {
  return stages.map(({ stage, startMs, endMs }) => ({
    stage,
    start_time: new Date(startMs).toISOString(),
    end_time: new Date(endMs).toISOString(),
  }));
}

type SessionFacts = Omit<AssembledSession, 'externalId' | 'stages' | 'inBedSeconds'> & {
  inBedSeconds?: number;
  stages?: AssembledSession['stages'];
  wakeDate: string;
  isNap: boolean;
  sourceId: number;
};

/** Columns that assembled sessions and those of vendors share. */
export const SESSION_COLUMNS: EventColumn<SessionFacts>[] = [
  { name: 'source_id', type: 'integer', value: ({ sourceId }) => sourceId },
  { name: 'start_at', type: 'timestamptz', value: ({ startMs }) => startMs },
  { name: 'end_at', type: 'timestamptz', value: ({ endMs }) => endMs },
  { name: 'offset_minutes', type: 'smallint', value: ({ offsetMinutes }) => offsetMinutes },
  { name: 'wake_date', type: 'date', value: ({ wakeDate }) => wakeDate },
  { name: 'is_nap', type: 'boolean', value: (row) => row.isNap },
  { name: 'asleep_seconds', type: 'integer', value: ({ asleepSeconds }) => asleepSeconds },
  { name: 'in_bed_seconds', type: 'integer', value: ({ inBedSeconds }) => inBedSeconds },
  { name: 'awake_seconds', type: 'integer', value: ({ awakeSeconds }) => awakeSeconds },
  { name: 'light_seconds', type: 'integer', value: ({ lightSeconds }) => lightSeconds },
  { name: 'deep_seconds', type: 'integer', value: ({ deepSeconds }) => deepSeconds },
  { name: 'rem_seconds', type: 'integer', value: ({ remSeconds }) => remSeconds },
  { name: 'efficiency_percent', type: 'double precision', value: ({ efficiencyPercent }) => efficiencyPercent },
  { name: 'stages', type: 'jsonb', value: ({ stages }) => stages && stagesJson(stages) },
];

const ASSEMBLED = {
  name: 'sleep_session',
  target: '(user_key, id)',
  identity: ['id'],
  columns: [
    { name: 'id', type: 'uuid', value: ({ id }) => id },
    { name: 'assembled', type: 'boolean', value: () => true },
    { name: 'external_id', type: 'text', value: ({ externalId }) => externalId },
    ...SESSION_COLUMNS,
  ] satisfies EventColumn<SessionRow>[],
};
