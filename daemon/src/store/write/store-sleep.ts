import { randomUUID } from 'node:crypto';
import type { Rejected } from '@healthd/model';
import { assembleSessions } from '../decide/assembly.js';
import { NAP_REACH_MS } from '../decide/nap.js';
import { type StoredEvents, upsertEvents } from '../facts/events/event-store.js';
import { joinSpans, type SourceSpan } from '../facts/sleep/source-span.js';
import type { WriteContext } from '../facts/write-context.js';
import {
  ASSEMBLED_TABLE,
  deletedNightDays,
  deleteStoredSessions,
  loadSessions,
  reclassifyNaps,
} from './assembled-sessions.js';
import { type DecidingContext, decide } from './decide-batch.js';
import { loadWholeSessions } from './store-stages.js';

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
export async function reassemble(context: DecidingContext, changed: SourceSpan): Promise<Reassembled> {
  const { client, userKey, sleepEndGapMinutes: gapMinutes, turns } = context;
  const { span, groups } = await loadWholeSessions(client, userKey, changed, gapMinutes);
  await turns.yieldIfLong();
  const near = await loadSessions(context, span);
  const reach = { ...span, fromMs: span.fromMs - 2 * NAP_REACH_MS, toMs: span.toMs + 2 * NAP_REACH_MS };
  const deletedDays = await deletedNightDays(context, reach);
  const snapshot = { span, groups, near, deletedNightDays: deletedDays, gapMinutes };
  const { nights, inside, removed, reclassified, rejected } = await decide(context, 'sleep', snapshot);

  const rows = nights.map((night) => ({ ...night, id: night.id ?? randomUUID() }));
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
export async function reassembleAll(context: DecidingContext, changed: readonly SourceSpan[]): Promise<Reassembled> {
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
