import { MS_PER_MINUTE, type Rejected, SLEEP_LENGTH } from '@healthd/model';
import type pg from 'pg';
import { stagesTogether } from '../decide/assembly.js';
import { lastOfEach } from '../facts/events/event-store.js';
import { noCounts, type WriteCounts } from '../facts/item-counts.js';
import type { ChangedStage, SourceSpan } from '../facts/sleep/source-span.js';
import { withinLimits } from '../facts/sleep/stage-limits.js';
import {
  type ArrivingStage,
  claimStages,
  INSERT_STAGES,
  loadStages,
  STAGE_COLUMNS,
  type StageInterval,
} from '../facts/sleep/stage-rows.js';
import type { WriteContext } from '../facts/write-context.js';

/** Limits a statement's size, so that building its parameters does not block the event loop for long. */
const ROWS_AT_ONCE = 2_000;

interface StoredStage {
  source_id: number;
  from_ms: number;
  to_ms: number;
  inserted: boolean;
}

/**
 * Stores stages unchanged and merges equal ones.
 * @param fromFile true if a file contained the stages; a stage from another path as well no longer belongs to the file
 * @returns `rejected`: stages beyond a night's limits; `changed`: stages around which to reassemble sessions
 */
export async function storeStages(
  { client, userKey, turns }: WriteContext,
  stages: readonly ArrivingStage[],
  fromFile: boolean,
): Promise<{ counts: WriteCounts; changed: ChangedStage[]; rejected: Rejected[] }> {
  const distinct = lastOfEach(
    stages,
    ({ record, sourceId }) => `${sourceId} ${record.startMs} ${record.endMs} ${record.stage}`,
  );
  if (distinct.length === 0) return { counts: noCounts(), changed: [], rejected: [] };
  await turns.yieldIfLong();
  const { kept: rows, rejected } = await withinLimits({ client, userKey, turns }, distinct);
  const stored: StoredStage[] = [];
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const some = rows.slice(from, from + ROWS_AT_ONCE);
    const values = [userKey, fromFile, ...STAGE_COLUMNS.values(some)];
    for (const row of (await client.query<StoredStage>(INSERT_STAGES, values)).rows) stored.push(row);
    if (!fromFile) await claimStages(client, userKey, some);
  }
  await turns.yieldIfLong();
  const inserted = stored.filter((row) => row.inserted).length;
  return {
    counts: { inserted, updated: stored.length - inserted, unchanged: rows.length - stored.length },
    changed: stored.map(({ source_id, from_ms, to_ms, inserted: isNew }) => ({
      sourceId: source_id,
      fromMs: Math.round(from_ms),
      toMs: Math.round(to_ms),
      isNew,
    })),
    rejected,
  };
}

/** A span that contains complete sessions only. */
interface WholeSessions {
  span: SourceSpan;
  /** Groups of its stages. A session never spans two groups. */
  groups: StageInterval[][];
}

/**
 * Loads stages around a span until no further stage is near enough to join a session inside or has the vendor's id of
 * one. A fixed margin would cut sessions at its edge.
 */
export async function loadWholeSessions(
  client: pg.ClientBase,
  userKey: number,
  changed: SourceSpan,
  gapMinutes: number,
): Promise<WholeSessions> {
  const reachMs = SLEEP_LENGTH.maxMs + gapMinutes * MS_PER_MINUTE;
  // Doubles the distance each time, so that years of adjacent sessions need few reads.
  for (let marginMs = 2 * reachMs; ; marginMs *= 2) {
    const loaded = { ...changed, fromMs: changed.fromMs - marginMs, toMs: changed.toMs + marginMs };
    const stages = await loadStages(client, userKey, loaded);
    const gapMs = gapMinutes * MS_PER_MINUTE;
    const near = stagesTogether(stages, gapMinutes).filter(
      ({ from, to }) => to >= changed.fromMs - gapMs && from <= changed.toMs + gapMs,
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
