import { randomUUID } from 'node:crypto';
import { fromDayNumber, type Rejected, SLEEP_LENGTH } from '@healthd/model';
import type pg from 'pg';
import { type EventColumn, type StoredEvents, upsertEvents } from '../events/event-store.js';
import type { WriteContext } from '../write-context.js';
import { loadAssembled, reclassifyNaps, type StoredSession } from './assembled-sessions.js';
import { type AssembledSession, assembleSessions } from './assembly.js';
import { isNap, NAP_REACH_MS, type NapCandidate, wakeDay } from './nap.js';
import { SESSION_COLUMNS } from './session-columns.js';
import { joinSpans, type SourceSpan } from './source-span.js';
import { loadStages, widenToWholeSessions } from './stage-store.js';

/** What assembling sessions again changed. */
export interface Reassembled extends StoredEvents {
  unchanged: number;
  /** Wake dates whose sessions changed, before and after. */
  wakeDates: Set<string>;
  rejected: Rejected[];
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
export async function reassemble(context: WriteContext, changed: SourceSpan): Promise<Reassembled> {
  const { client, userKey, sleepEndGapMinutes, timeline } = context;
  const span = await widenToWholeSessions(client, userKey, changed, sleepEndGapMinutes);
  const assembled = assembleSessions(await loadStages(client, userKey, span), sleepEndGapMinutes);
  const valid = assembled.filter(({ startMs, endMs }) => endMs - startMs <= SLEEP_LENGTH.maxMs);
  const rejected = assembled.flatMap((session, index): Rejected[] =>
    valid.includes(session)
      ? []
      : [
          {
            kind: 'rejected',
            collection: 'sleep_sessions',
            index,
            field: 'end',
            code: 'implausible',
            detail: SLEEP_LENGTH.text,
          },
        ],
  );

  const near = await loadSessions(context, span);
  const [inside, outside] = partition(near, (session) => isWithin(session, span, 0));
  const ids = keptIds(valid, inside);
  const candidates = valid.map((session) => ({
    ...session,
    offsetMinutes: session.offsetMinutes ?? timeline.offsetAt(session.endMs),
  }));
  const everyone: NapCandidate[] = [...candidates, ...outside];
  const rows = valid.map((session, index): SessionRow => {
    const candidate = candidates[index] as NapCandidate;
    return {
      ...session,
      id: ids[index] ?? randomUUID(),
      sourceId: span.sourceId,
      wakeDate: fromDayNumber(wakeDay(candidate)),
      isNap: isNap(candidate, everyone),
    };
  });
  const removed = inside.filter(({ id }) => !ids.includes(id));
  const reclassified = outside.filter(
    (session) => isWithin(session, span, NAP_REACH_MS) && isNap(session, everyone) !== session.isNap,
  );

  await deleteSessions(client, userKey, removed);
  const stored = await upsertEvents(client, userKey, ASSEMBLED, rows);
  const moved = [...stored.inserted, ...stored.updated];
  await reclassifyNaps(client, userKey, reclassified);
  return {
    inserted: stored.inserted,
    updated: [...stored.updated, ...reclassified.map(({ id }) => id)],
    unchanged: rows.length - moved.length,
    wakeDates: new Set([
      ...rows.filter(({ id }) => moved.includes(id)).map(({ wakeDate }) => wakeDate),
      ...inside.filter(({ id }) => moved.includes(id)).map(({ wakeDate }) => wakeDate),
      ...[...removed, ...reclassified].map(({ wakeDate }) => wakeDate),
    ]),
    rejected,
  };
}

/** As {@link reassemble} around several spans, of which those that lie near each other are one. */
export async function reassembleAll(context: WriteContext, changed: readonly SourceSpan[]): Promise<Reassembled> {
  const all: Reassembled = { inserted: [], updated: [], unchanged: 0, wakeDates: new Set(), rejected: [] };
  for (const span of joinSpans(changed)) {
    const one = await reassemble(context, span);
    all.inserted.push(...one.inserted);
    all.updated.push(...one.updated);
    all.unchanged += one.unchanged;
    for (const date of one.wakeDates) all.wakeDates.add(date);
    all.rejected.push(...one.rejected);
  }
  return all;
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

function isWithin({ startMs, endMs }: NapCandidate, span: SourceSpan, reachMs: number): boolean {
  return startMs <= span.toMs + reachMs && endMs >= span.fromMs - reachMs;
}

/**
 * The sessions that the span may decide on, and all that may decide on those: judged by a part of its deciders alone, a
 * nap would turn into a night.
 */
function loadSessions(context: WriteContext, { sourceId, fromMs, toMs }: SourceSpan): Promise<StoredSession[]> {
  const span = { sourceId, fromMs: fromMs - 2 * NAP_REACH_MS - SLEEP_LENGTH.maxMs, toMs: toMs + 2 * NAP_REACH_MS };
  return loadAssembled(context, span);
}

async function deleteSessions(client: pg.ClientBase, userKey: number, sessions: StoredSession[]): Promise<void> {
  if (sessions.length === 0) return;
  await client.query('delete from sleep_session where user_key = $1 and id = any ($2::uuid[])', [
    userKey,
    sessions.map(({ id }) => id),
  ]);
}

function partition<T>(items: T[], belongs: (item: T) => boolean): [T[], T[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}

const ASSEMBLED = {
  name: 'sleep_session',
  target: '(user_key, id)',
  identity: ['id'],
  columns: [
    { name: 'id', type: 'uuid', value: ({ id }) => id },
    { name: 'assembled', type: 'boolean', value: () => true },
    { name: 'external_id', type: 'text', value: ({ externalId }) => externalId },
    { name: 'wake_date', type: 'date', value: ({ wakeDate }) => wakeDate },
    ...SESSION_COLUMNS,
  ] satisfies EventColumn<SessionRow>[],
};
