import { randomUUID } from 'node:crypto';
import { fromDayNumber, type Rejected, SLEEP_LENGTH } from '@healthd/model';
import { type StoredEvents, upsertEvents } from '../events/event-store.js';
import type { WriteContext } from '../write-context.js';
import { reclassifyNaps } from './assembled-sessions.js';
import { assembleSessions } from './assembly.js';
import { isWithin, keptIds } from './kept-ids.js';
import { isNap, NAP_REACH_MS, type NapCandidate, wakeDay } from './nap.js';
import { ASSEMBLED_TABLE, deleteStoredSessions, loadSessions, type SessionRow } from './session-rows.js';
import { joinSpans, type SourceSpan } from './source-span.js';
import { loadStages } from './stage-rows.js';
import { widenToWholeSessions } from './stage-store.js';

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
  const { client, userKey, sleepEndGapMinutes, timeline } = context;
  const span = await widenToWholeSessions(client, userKey, changed, sleepEndGapMinutes);
  const all = assembleSessions(await loadStages(client, userKey, span), sleepEndGapMinutes);
  // What is too short to be a session may still grow: its stages stay.
  const assembled = all.filter(({ startMs, endMs }) => endMs - startMs >= SLEEP_LENGTH.minMs);
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

  await deleteStoredSessions(client, userKey, removed);
  const stored = await upsertEvents(client, userKey, ASSEMBLED_TABLE, rows);
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

/**
 * The vendor's ids on the stages of a stored session, which are several where versions of one night came under several
 * ids; with null where a stage has none.
 */
export async function stageIdsOf(
  { client, userKey, sleepEndGapMinutes }: WriteContext,
  session: SourceSpan & { externalId: string | null },
): Promise<(string | null)[]> {
  const span = await widenToWholeSessions(client, userKey, session, sleepEndGapMinutes);
  const assembled = assembleSessions(await loadStages(client, userKey, span), sleepEndGapMinutes);
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
    all.inserted.push(...one.inserted);
    all.updated.push(...one.updated);
    all.unchanged += one.unchanged;
    for (const date of one.wakeDates) all.wakeDates.add(date);
    all.rejected.push(...one.rejected);
  }
  return all;
}

function partition<T>(items: T[], belongs: (item: T) => boolean): [T[], T[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}
