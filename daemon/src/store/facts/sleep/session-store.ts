import { randomUUID } from 'node:crypto';
import { fromDayNumber, type Rejected, SLEEP_LENGTH } from '@healthd/model';
import { type StoredEvents, upsertEvents } from '../events/event-store.js';
import type { WriteContext } from '../write-context.js';
import { deletedNightDays, reclassifyNaps } from './assembled-sessions.js';
import { type AssembledSession, assembleSessions } from './assembly.js';
import { isWithin, keptIds } from './kept-ids.js';
import { isNap, NAP_REACH_MS, type NapCandidate, nightDaysOf, wakeDay } from './nap.js';
import { ASSEMBLED_TABLE, deleteStoredSessions, loadSessions, type SessionRow } from './session-rows.js';
import { joinSpans, type SourceSpan } from './source-span.js';
import { loadWholeSessions } from './stage-store.js';

/** Sessions between two looks at the clock. */
const SESSIONS_AT_ONCE = 500;

/** What assembling sessions again changed. */
export interface Reassembled extends StoredEvents {
  unchanged: number;
  /** Wake dates whose sessions changed, before and after. */
  wakeDates: Set<string>;
  rejected: Rejected[];
}

/**
 * Assembles the sessions of one source around a span of changed stages. A session keeps the id of the stored one that it
 * overlaps most; stored sessions that nothing overlaps any more are removed.
 */
export async function reassemble(context: WriteContext, changed: SourceSpan): Promise<Reassembled> {
  const { client, userKey, sleepEndGapMinutes, timeline, turns } = context;
  const { span, groups } = await loadWholeSessions(client, userKey, changed, sleepEndGapMinutes);
  const valid: AssembledSession[] = [];
  const rejected: Rejected[] = [];
  for (const stages of groups) {
    for (const session of assembleSessions(stages, sleepEndGapMinutes)) {
      const lengthMs = session.endMs - session.startMs;
      // What is too short to be a session may still grow: its stages stay.
      if (lengthMs < SLEEP_LENGTH.minMs) continue;
      if (lengthMs <= SLEEP_LENGTH.maxMs) valid.push(session);
      else rejected.push(tooLong(rejected.length));
    }
    await turns.yieldIfLong();
  }
  valid.sort((a, b) => a.startMs - b.startMs);

  await turns.yieldIfLong();
  const near = await loadSessions(context, span);
  const [inside, outside] = partition(near, (session) => isWithin(session, span, 0));
  const ids = keptIds(valid, inside);
  await turns.yieldIfLong();
  const candidates = valid.map((session) => ({
    ...session,
    offsetMinutes: session.offsetMinutes ?? timeline.offsetAt(session.endMs),
  }));
  await turns.yieldIfLong();
  const nightDays = nightDaysOf([...candidates, ...outside]);
  const reach = { ...span, fromMs: span.fromMs - 2 * NAP_REACH_MS, toMs: span.toMs + 2 * NAP_REACH_MS };
  for (const day of await deletedNightDays(context, reach)) nightDays.add(day);
  const rows: SessionRow[] = [];
  for (const [index, session] of valid.entries()) {
    if (index % SESSIONS_AT_ONCE === 0) await turns.yieldIfLong();
    const candidate = candidates[index] as NapCandidate;
    rows.push({
      ...session,
      id: ids[index] ?? randomUUID(),
      sourceId: span.sourceId,
      wakeDate: fromDayNumber(wakeDay(candidate)),
      isNap: isNap(candidate, nightDays),
    });
  }
  await turns.yieldIfLong();
  const kept = new Set(ids);
  const removed = inside.filter(({ id }) => !kept.has(id));
  const reclassified = outside.filter(
    (session) => isWithin(session, span, NAP_REACH_MS) && isNap(session, nightDays) !== session.isNap,
  );

  await deleteStoredSessions(client, userKey, removed);
  const stored = await upsertEvents(client, userKey, ASSEMBLED_TABLE, rows);
  const moved = new Set([...stored.inserted, ...stored.updated]);
  await reclassifyNaps(client, userKey, reclassified);
  return {
    inserted: stored.inserted,
    updated: [...stored.updated, ...reclassified.map(({ id }) => id)],
    unchanged: rows.length - moved.size,
    wakeDates: new Set([
      ...rows.filter(({ id }) => moved.has(id)).map(({ wakeDate }) => wakeDate),
      ...inside.filter(({ id }) => moved.has(id)).map(({ wakeDate }) => wakeDate),
      ...[...removed, ...reclassified].map(({ wakeDate }) => wakeDate),
    ]),
    rejected,
  };
}

/**
 * The vendor's ids on the stages of a stored session, which are several where versions of one night came under several
 * ids; with null where a stage has none.
 */
export async function stageIdsOf(
  { client, userKey, sleepEndGapMinutes }: WriteContext,
  session: SourceSpan & { externalId: string | null },
): Promise<(string | null)[]> {
  const { groups } = await loadWholeSessions(client, userKey, session, sleepEndGapMinutes);
  const assembled = groups.flatMap((stages) => assembleSessions(stages, sleepEndGapMinutes));
  const own = assembled.filter(
    ({ externalId = null, startMs, endMs }) =>
      externalId === session.externalId && startMs < session.toMs && endMs > session.fromMs,
  );
  const ids = own.flatMap(({ stageIds }) => [...stageIds]).map((id) => id ?? null);
  return [...new Set([session.externalId, ...ids])];
}

/** As {@link reassemble} around several spans, of which those that lie near each other are one. */
export async function reassembleAll(context: WriteContext, changed: readonly SourceSpan[]): Promise<Reassembled> {
  const all: Reassembled = { inserted: [], updated: [], unchanged: 0, wakeDates: new Set(), rejected: [] };
  for (const span of joinSpans(changed)) {
    const one = await reassemble(context, span);
    for (const id of one.inserted) all.inserted.push(id);
    for (const id of one.updated) all.updated.push(id);
    all.unchanged += one.unchanged;
    for (const date of one.wakeDates) all.wakeDates.add(date);
    for (const item of one.rejected) all.rejected.push(item);
  }
  return all;
}

function tooLong(index: number): Rejected {
  const detail = SLEEP_LENGTH.text;
  return { kind: 'rejected', collection: 'sleep_sessions', index, field: 'end', code: 'implausible', detail };
}

function partition<T>(items: T[], belongs: (item: T) => boolean): [T[], T[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}
