import { randomUUID } from 'node:crypto';
import type { Rejected } from '@healthd/model';
import { assembleSessions } from '../decide/assembly.js';
import { NAP_REACH_MS } from '../decide/nap.js';
import { type StoredEvents, upsertEvents } from '../facts/events/event-store.js';
import { type SourceSpan, spansToAssemble } from '../facts/sleep/source-span.js';
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

/** Changes after reassembling sessions. */
interface Reassembled extends StoredEvents {
  unchanged: string[];
  /** Wake dates of changed sessions, before and after. */
  wakeDates: Set<string>;
  rejected: Rejected[];
  /** End of the sessions that were assembled. */
  toMs: number;
}

/**
 * Reassembles one source's sessions around a span of changed stages. A session keeps the id of the stored session that
 * it overlaps most. Stored sessions without any overlap are deleted.
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

  await turns.yieldIfLong();
  const rows = nights.map((night) => Object.assign(night, { id: night.id ?? randomUUID() }));
  await deleteStoredSessions(client, userKey, removed);
  await turns.yieldIfLong();
  const stored = await upsertEvents(client, userKey, ASSEMBLED_TABLE, rows);
  const moved = new Set([...stored.inserted, ...stored.updated]);
  await reclassifyNaps(client, userKey, reclassified);
  return {
    inserted: stored.inserted,
    updated: [...stored.updated, ...reclassified.map(({ id }) => id)],
    unchanged: rows.filter(({ id }) => !moved.has(id)).map(({ id }) => id),
    wakeDates: new Set([
      ...rows.filter(({ id }) => moved.has(id)).map(({ wakeDate }) => wakeDate),
      ...inside.filter(({ id }) => moved.has(id)).map(({ wakeDate }) => wakeDate),
      ...[...removed, ...reclassified].map(({ wakeDate }) => wakeDate),
    ]),
    rejected,
    toMs: span.toMs,
  };
}

/**
 * Returns the vendor's ids on a stored session's stages, with null for stages without an id. Versions of one night may
 * have several ids.
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

/** Does the same as {@link reassemble} for several spans. Merges spans that are near each other, up to a limit. */
export async function reassembleAll(
  context: DecidingContext,
  changed: readonly SourceSpan[],
): Promise<StoredEvents & { unchanged: number; wakeDates: Set<string>; rejected: Rejected[] }> {
  const [inserted, updated, unchanged] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const wakeDates = new Set<string>();
  const rejected: Rejected[] = [];
  let last: SourceSpan | undefined;
  for (const span of spansToAssemble(changed)) {
    // The previous span may overlap this one.
    const doneToMs = last?.sourceId === span.sourceId ? last.toMs : Number.NEGATIVE_INFINITY;
    if (span.toMs <= doneToMs) continue;
    const one = await reassemble(context, { ...span, fromMs: Math.max(span.fromMs, doneToMs) });
    last = { ...span, toMs: one.toMs };
    for (const id of one.inserted) inserted.add(id);
    for (const id of one.updated) if (!inserted.has(id)) updated.add(id);
    for (const id of one.unchanged) unchanged.add(id);
    for (const date of one.wakeDates) wakeDates.add(date);
    for (const item of one.rejected) rejected.push(item);
  }
  const alike = [...unchanged].filter((id) => !inserted.has(id) && !updated.has(id)).length;
  return { inserted: [...inserted], updated: [...updated], unchanged: alike, wakeDates, rejected };
}
