import { randomUUID } from 'node:crypto';
import { groupIntervals, type Rejected, SLEEP_LENGTH } from '@healthd/model';
import { assembleSessions, longestPause, stagesTogether } from '../decide/assembly.js';
import { decideEvents } from '../decide/events.js';
import { NAP_REACH_MS } from '../decide/nap.js';
import type { StoredSession } from '../decide/sleep.js';
import { type DecidedStages, nightsOf, type StageSnapshot } from '../decide/stages.js';
import { CHANGE, type Change } from '../facts/change.js';
import { type EventValues, valuesOf } from '../facts/events/event-columns.js';
import { type WrittenEvent, writeEvents } from '../facts/events/event-store.js';
import { type SourceSpan, spansToAssemble } from '../facts/sleep/source-span.js';
import { findStages, loadNights, loadStages, writeStages } from '../facts/sleep/stage-rows.js';
import { type ArrivingStage, type StageInterval, type StageRow, stageKey, stageRow } from '../facts/sleep/stages.js';
import type { WriteContext } from '../facts/write-context.js';
import type { ChangedIds } from '../facts/write-result.js';
import { ASSEMBLED, deletedNightDays, deleteStoredSessions, loadSessions, nearFrom } from './assembled-sessions.js';
import { type DecidingContext, decide } from './decide-batch.js';
import type { WriteOptions } from './write-options.js';

/** Number of stages, or of assembled nights, processed between two yields to the event loop. */
const STAGES_AT_ONCE = 2_000;
const NIGHTS_AT_ONCE = 100;

/** Changes of assembled sessions. */
interface PlannedSessions {
  written: WrittenEvent[];
  removed: string[];
  ids: ChangedIds;
  unchanged: number;
  /** Former and current wake dates of changed sessions. */
  wakeDates: Set<string>;
  /** Sessions that are too long. */
  rejected: Rejected[];
}

/** Changes of sleep stages and of the sessions that are assembled from them. */
export interface PlannedSleep {
  stages: DecidedStages;
  sessions: PlannedSessions;
}

/**
 * Decides about a batch's stages and the sessions around them. Writes nothing.
 * @param redated spans of assembled sessions to reassemble although their stages are unchanged
 */
export async function planSleep(
  context: DecidingContext,
  arriving: readonly ArrivingStage[],
  redated: readonly SourceSpan[],
  { fromFile = false, keepStored = false }: Pick<WriteOptions, 'fromFile' | 'keepStored'>,
): Promise<PlannedSleep> {
  const snapshot = await loadStagesOf(context, arriving, fromFile);
  const stages = await decide(context, 'stages', { arriving, snapshot, fromFile, keepStored });
  return { stages, sessions: await planSessions(context, [...stages.changed, ...redated], stages) };
}

/** Loads the stored versions of stages, and their nights. */
async function loadStagesOf(
  { client, userKey, turns }: WriteContext,
  arriving: readonly ArrivingStage[],
  fromFile: boolean,
): Promise<StageSnapshot> {
  if (arriving.length === 0) return { stored: [], nights: [] };
  const stored: StageRow[] = [];
  for (let from = 0; from < arriving.length; from += STAGES_AT_ONCE) {
    const rows = arriving.slice(from, from + STAGES_AT_ONCE).map((stage) => stageRow(stage, fromFile));
    for (const row of await findStages(client, userKey, rows)) stored.push(row);
    await turns.yieldIfLong();
  }
  const nights = nightsOf(arriving);
  await turns.yieldIfLong();
  return { stored, nights: await loadNights(client, userKey, nights) };
}

/** Rows of sleep stages and assembled sessions to write, and ids of sessions to delete. */
export interface SleepChanges {
  stages: readonly StageRow[];
  sessions: readonly WrittenEvent[];
  removed: readonly string[];
}

/** Writes the changes. @param change the reason why sessions are deleted */
export async function applySleep(
  context: WriteContext,
  { stages, sessions, removed }: SleepChanges,
  change: Change = CHANGE.replaced,
): Promise<void> {
  const { client, userKey } = context;
  await writeStages(client, userKey, stages);
  await deleteStoredSessions(client, userKey, removed, change);
  await writeEvents(context, ASSEMBLED, sessions);
}

/**
 * Reassembles the sessions around changed spans after their stages were written or deleted.
 * @param change the reason why sessions are deleted
 */
export async function reassemble(
  context: DecidingContext,
  changed: readonly SourceSpan[],
  change: Change,
): Promise<Set<string>> {
  const { written, removed, wakeDates } = await planSessions(context, changed, { written: [], changed: [] });
  await applySleep(context, { stages: [], sessions: written, removed }, change);
  return wakeDates;
}

/**
 * Assembles the sessions around changed spans. A session keeps the id of the stored session that it overlaps most.
 * Stored sessions whose id no session keeps are deleted.
 * @param decided stages that are not written yet
 */
async function planSessions(
  context: DecidingContext,
  changed: readonly SourceSpan[],
  decided: Pick<DecidedStages, 'written' | 'changed'>,
): Promise<PlannedSessions> {
  const stages = new StageOverlay(decided);
  await context.turns.yieldIfLong();
  const sessions = new SessionOverlay();
  const rejected: Rejected[] = [];
  let last: SourceSpan | undefined;
  for (const span of spansToAssemble(changed)) {
    // Excludes time that the previous span already covers, because spans may overlap.
    const doneToMs = last?.sourceId === span.sourceId ? last.toMs : Number.NEGATIVE_INFINITY;
    if (span.toMs <= doneToMs) continue;
    const part = { ...span, fromMs: Math.max(span.fromMs, doneToMs) };
    const one = await planSpan(context, part, stages, sessions);
    last = { ...span, toMs: one.toMs };
    for (const item of one.rejected) rejected.push(item);
    await context.turns.yieldIfLong();
  }
  return { ...(await context.turns.run(sessions.outcome())), rejected };
}

/** @returns the end of the sessions that were assembled */
async function planSpan(
  context: DecidingContext,
  changed: SourceSpan,
  overlay: StageOverlay,
  sessions: SessionOverlay,
): Promise<{ toMs: number; rejected: Rejected[] }> {
  const { sleepEndGapMinutes: gapMinutes, turns } = context;
  const { span, groups, near } = await loadSpan(context, changed, overlay, sessions);
  await turns.yieldIfLong();
  const reach = { ...span, fromMs: span.fromMs - 2 * NAP_REACH_MS, toMs: span.toMs + 2 * NAP_REACH_MS };
  const deletedDays = await deletedNightDays(context, reach);
  const snapshot = { span, groups, near, deletedNightDays: deletedDays, gapMinutes };
  const { nights, removed, reclassified, rejected } = await decide(context, 'sleep', snapshot);
  await turns.yieldIfLong();
  for (const { id } of removed) sessions.remove(id);
  for (const [at, night] of nights.entries()) {
    if (at % NIGHTS_AT_ONCE === 0) await turns.yieldIfLong();
    const id = night.id ?? randomUUID();
    const offsetMinutes = night.offsetMinutes ?? context.timeline.offsetAt(night.endMs);
    const { startMs, endMs, asleepSeconds, externalId, wakeDate, isNap, archivedAs } = night;
    const facts = { id, startMs, endMs, offsetMinutes, asleepSeconds, externalId, wakeDate, isNap, archivedAs };
    sessions.put(span.sourceId, facts, valuesOf(ASSEMBLED.columns, night));
  }
  for (const session of reclassified) sessions.reclassify(session);
  return { toMs: span.toMs, rejected };
}

/**
 * Loads the stages and sessions around a span. Widens the span until it contains every stored session that it overlaps.
 * A session may have lost the stages between its ends, so its stages alone do not show how far it extends.
 */
async function loadSpan(
  context: DecidingContext,
  changed: SourceSpan,
  overlay: StageOverlay,
  sessions: SessionOverlay,
): Promise<WholeSessions & { near: StoredSession[] }> {
  let toPlan = changed;
  for (let isFirst = true; ; isFirst = false) {
    const { span, groups } = await loadWholeSessions(context, toPlan, overlay);
    await context.turns.yieldIfLong();
    const near = sessions.over(span, await loadSessions(context, span));
    const { fromMs, toMs } = overlapping(span, near);
    if (fromMs >= span.fromMs && toMs <= span.toMs) return { span, groups, near };
    // Adds the span's length on both sides from the second time on, so that a long chain of sessions needs few reads.
    const marginMs = isFirst ? 0 : span.toMs - span.fromMs;
    toPlan = { ...span, fromMs: fromMs - marginMs, toMs: toMs + marginMs };
  }
}

/** Extends a span by all sessions that it overlaps, directly or through another session. @param sessions by start */
function overlapping(span: SourceSpan, sessions: readonly StoredSession[]): { fromMs: number; toMs: number } {
  let { fromMs, toMs } = span;
  for (const { from, to } of groupIntervals(sessions, ({ startMs, endMs }) => [startMs, endMs])) {
    if (from > span.toMs || to < span.fromMs) continue;
    fromMs = Math.min(fromMs, from);
    toMs = Math.max(toMs, to);
  }
  return { fromMs, toMs };
}

/** Stages that a batch writes, which replace the stored stages. */
class StageOverlay {
  readonly #bySource = new Map<number, StageRow[]>();
  /** True if the batch rewrites stored stages. */
  readonly #hasUpdates: boolean;

  constructor({ written, changed }: Pick<DecidedStages, 'written' | 'changed'>) {
    this.#hasUpdates = written.length > changed.filter(({ isNew }) => isNew).length;
    for (const row of written) {
      const own = this.#bySource.get(row.sourceId);
      if (own) own.push(row);
      else this.#bySource.set(row.sourceId, [row]);
    }
    for (const own of this.#bySource.values()) own.sort((a, b) => a.startMs - b.startMs);
  }

  /** Returns the stages that start in a span, as they will be after the write. */
  over({ sourceId, fromMs, toMs }: SourceSpan, stored: readonly StageInterval[]): readonly StageInterval[] {
    const own = this.#bySource.get(sourceId);
    if (!own) return stored;
    const from = firstFrom(own, fromMs);
    let to = from;
    while (to < own.length && (own[to] as StageRow).startMs <= toMs) to++;
    const written = own.slice(from, to);
    if (written.length === 0) return stored;
    if (stored.length === 0) return written;
    if (!this.#hasUpdates) return [...stored, ...written];
    const keys = new Set(written.map(stageKey));
    return [...stored.filter((stage) => !keys.has(stageKey({ ...stage, sourceId }))), ...written];
  }
}

/** Returns the position of the first stage that starts at or after an instant. */
function firstFrom(stages: readonly StageRow[], ms: number): number {
  let [low, high] = [0, stages.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stages[middle] as StageRow).startMs < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface PlannedSession {
  facts: StoredSession;
  values: EventValues;
  /** Values in the database; undefined for a new session. */
  stored: EventValues | undefined;
}

/** Assembled sessions after the decisions so far, which replace the stored sessions. */
class SessionOverlay {
  readonly #planned = new Map<string, PlannedSession>();
  readonly #removed = new Map<string, EventValues | undefined>();
  /** Stored values by id, of all sessions that were loaded. */
  readonly #stored = new Map<string, EventValues>();
  /** New and changed sessions of one source that a later span may affect. */
  readonly #open = new Set<string>();
  #sourceId: number | undefined;

  /**
   * Returns the sessions near a span by start, after the decisions so far.
   * @param loaded stored sessions near the span
   */
  over(
    { sourceId, fromMs }: SourceSpan,
    loaded: readonly (StoredSession & { values: EventValues })[],
  ): StoredSession[] {
    // Spans of a source ascend, so sessions far before this span do not affect later spans.
    for (const id of this.#open) {
      const { facts } = this.#planned.get(id) as PlannedSession;
      if (sourceId !== this.#sourceId || facts.startMs < nearFrom(fromMs)) this.#open.delete(id);
    }
    this.#sourceId = sourceId;
    const near: StoredSession[] = [];
    for (const { values, ...session } of loaded) {
      if (!this.#stored.has(session.id)) this.#stored.set(session.id, values);
      if (!this.#removed.has(session.id) && !this.#planned.has(session.id)) near.push(session);
    }
    for (const id of this.#open) near.push((this.#planned.get(id) as PlannedSession).facts);
    return near.sort((a, b) => a.startMs - b.startMs);
  }

  put(sourceId: number, facts: StoredSession, values: EventValues): void {
    this.#sourceId = sourceId;
    this.#open.add(facts.id);
    this.#planned.set(facts.id, { facts, values, stored: this.#stored.get(facts.id) });
  }

  remove(id: string): void {
    this.#removed.set(id, this.#stored.get(id));
    this.#planned.delete(id);
    this.#open.delete(id);
  }

  reclassify(session: StoredSession): void {
    const { id, isNap } = session;
    const values = this.#planned.get(id)?.values ?? (this.#stored.get(id) as EventValues);
    this.#planned.set(id, {
      facts: { ...session, isNap: !isNap },
      values: { ...values, is_nap: !isNap },
      stored: this.#stored.get(id),
    });
    this.#open.add(id);
  }

  *outcome(): Generator<void, Omit<PlannedSessions, 'rejected'>> {
    const events = [...this.#planned].map(([id, { values, stored }]) => ({ id, values, stored }));
    const { written, ids, unchanged } = yield* decideEvents(ASSEMBLED.columns, events, 'replace');
    const removed = [...this.#removed].filter(([, stored]) => stored !== undefined);
    const wakeDates = new Set<string>();
    const add = (values: EventValues | undefined) => {
      if (values) wakeDates.add(values.wake_date as string);
    };
    for (const { id, values } of written) {
      add(values);
      add(this.#stored.get(id));
    }
    for (const [, values] of removed) add(values);
    return { written, removed: removed.map(([id]) => id), ids, unchanged, wakeDates };
  }
}

/** A span that contains complete sessions only. */
interface WholeSessions {
  span: SourceSpan;
  /** Groups of its stages. A session never spans two groups. */
  groups: StageInterval[][];
}

/**
 * Loads stages around a span until no further stage is near enough to join an inner session. A fixed margin would cut
 * sessions at its edge. Includes sessions as far away as the longest pause, because a changed stage may have joined or
 * divided them.
 */
async function loadWholeSessions(
  { client, userKey, sleepEndGapMinutes: gapMinutes }: WriteContext,
  changed: SourceSpan,
  overlay: StageOverlay,
): Promise<WholeSessions> {
  const pauseMs = longestPause(gapMinutes);
  const reachMs = SLEEP_LENGTH.maxMs + pauseMs;
  // Doubles the distance each time, so that years of adjacent sessions need few reads.
  for (let marginMs = 2 * reachMs; ; marginMs *= 2) {
    const loaded = { ...changed, fromMs: changed.fromMs - marginMs, toMs: changed.toMs + marginMs };
    const stages = overlay.over(loaded, await loadStages(client, userKey, loaded));
    const near = stagesTogether(stages, gapMinutes).filter(
      ({ from, to }) => to >= changed.fromMs - pauseMs && from <= changed.toMs + pauseMs,
    );
    const span = {
      ...changed,
      fromMs: Math.min(changed.fromMs, near[0]?.from ?? changed.fromMs),
      toMs: near.reduce((last, { to }) => Math.max(last, to), changed.toMs),
    };
    const isWhole = span.fromMs - reachMs >= loaded.fromMs && span.toMs + reachMs <= loaded.toMs;
    if (isWhole) return { span, groups: near.map((group) => group.stages) };
  }
}

/**
 * Returns the vendor's ids on a stored session's stages, with null for stages without an id. Versions of one night may
 * have several ids.
 */
export async function stageIdsOf(
  context: WriteContext,
  session: SourceSpan & { externalId: string | null },
): Promise<(string | null)[]> {
  const { sleepEndGapMinutes } = context;
  const { groups } = await loadWholeSessions(context, session, new StageOverlay({ written: [], changed: [] }));
  const assembled = groups.flatMap((stages) => assembleSessions(stages, sleepEndGapMinutes));
  const own = assembled.filter(
    ({ externalId = null, startMs, endMs }) =>
      externalId === session.externalId && startMs < session.toMs && endMs > session.fromMs,
  );
  const ids = own.flatMap(({ stageIds }) => [...stageIds]).map((id) => id ?? null);
  return [...new Set([session.externalId, ...ids])];
}
