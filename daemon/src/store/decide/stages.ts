import { ITEM_LIMITS, MS_PER_DAY, type Rejected, TOO_MANY } from '@healthd/model';
import type { WriteCounts } from '../facts/item-counts.js';
import type { ChangedStage } from '../facts/sleep/source-span.js';
import { type ArrivingStage, type StageRow, type StoredNight, stageKey, stageRow } from '../facts/sleep/stages.js';

/** Stored stages around a batch's stages. */
export interface StageSnapshot {
  /** Stored versions of the arriving stages. */
  stored: readonly StageRow[];
  /** Stored stages of the arriving stages' nights, see {@link nightsOf}. */
  nights: readonly StoredNight[];
}

/** Stages to write, and their outcome. */
export interface DecidedStages {
  written: StageRow[];
  counts: WriteCounts;
  /** New and changed stages, whose sessions must be reassembled. */
  changed: ChangedStage[];
  /** Stages beyond the limits of a night. */
  rejected: Rejected[];
}

/** Number of stages processed between two yields to the event loop. */
const ROWS_AT_ONCE = 1_000;

/** Returns the nights that contain the stages, each with its source and start. */
export function nightsOf(stages: readonly ArrivingStage[]): Pick<StoredNight, 'sourceId' | 'fromMs'>[] {
  const nights = new Map<string, Pick<StoredNight, 'sourceId' | 'fromMs'>>();
  for (const { sourceId, record } of stages) {
    const fromMs = nightStart(record.startMs);
    nights.set(`${sourceId} ${fromMs}`, { sourceId, fromMs });
  }
  return [...nights.values()];
}

/** Returns the start of an instant's night: the last noon UTC. */
function nightStart(ms: number): number {
  return Math.floor((ms - MS_PER_DAY / 2) / MS_PER_DAY) * MS_PER_DAY + MS_PER_DAY / 2;
}

/**
 * Decides about a batch's stages. Equal stages are versions of one stage: the later version counts, and the earlier
 * version fills its unknown values. Keeps the stored stages of a full night and rejects new stages.
 * @param options.fromFile true if a file contains the stages; a stage that also arrives another way does not belong to the
 * file
 * @param options.keepStored true if the stored version of a stage is the later version
 */
export function* decideStages(
  arriving: readonly ArrivingStage[],
  { stored, nights }: StageSnapshot,
  { fromFile, keepStored }: { fromFile: boolean; keepStored: boolean },
): Generator<void, DecidedStages> {
  const known = new Map<string, StageRow>();
  for (const [at, row] of stored.entries()) {
    if (at % ROWS_AT_ONCE === 0) yield;
    known.set(stageKey(row), row);
  }
  const room = new NightRoom(nights);
  const rows = new Map<string, StageRow>();
  const rejected: Rejected[] = [];
  for (const [at, stage] of arriving.entries()) {
    if (at % ROWS_AT_ONCE === 0) yield;
    const row = stageRow(stage, fromFile);
    const key = stageKey(row);
    const earlier = rows.get(key) ?? known.get(key);
    const full = room.take(row, earlier !== undefined);
    if (full !== undefined) rejected.push(tooMany(stage.index, full));
    else if (!earlier) rows.set(key, row);
    else rows.set(key, keepStored && known.has(key) ? nextVersion(row, earlier) : nextVersion(earlier, row));
  }
  const decided: DecidedStages = {
    written: [],
    counts: { inserted: 0, updated: 0, unchanged: 0 },
    changed: [],
    rejected,
  };
  let at = 0;
  for (const [key, row] of rows) {
    if (at++ % ROWS_AT_ONCE === 0) yield;
    const before = known.get(key);
    const isChanged =
      before === undefined || before.offsetMinutes !== row.offsetMinutes || before.sessionId !== row.sessionId;
    if (!before) decided.counts.inserted++;
    else if (isChanged) decided.counts.updated++;
    else decided.counts.unchanged++;
    if (isChanged || before?.fromFile !== row.fromFile || before.pushedKey !== row.pushedKey) decided.written.push(row);
    const { sourceId, startMs: fromMs, endMs: toMs } = row;
    if (isChanged) decided.changed.push({ sourceId, fromMs, toMs, isNew: before === undefined });
  }
  return decided;
}

function nextVersion(earlier: StageRow, later: StageRow): StageRow {
  return {
    ...earlier,
    offsetMinutes: later.offsetMinutes ?? earlier.offsetMinutes,
    sessionId: later.sessionId ?? earlier.sessionId,
    fromFile: earlier.fromFile && later.fromFile,
    pushedKey: later.pushedKey ?? earlier.pushedKey,
  };
}

/** Counts the stages and sessions of each night, to enforce their limits. */
class NightRoom {
  readonly #nights: Map<string, { stages: number; sessionIds: Set<string> }>;

  constructor(nights: readonly StoredNight[]) {
    this.#nights = new Map(
      nights.map(({ sourceId, fromMs, stages, sessionIds }) => [
        `${sourceId} ${fromMs}`,
        { stages, sessionIds: new Set(sessionIds) },
      ]),
    );
  }

  /** Counts a stage. @returns the limit that the stage exceeds */
  take({ sourceId, startMs, sessionId }: StageRow, isKnown: boolean): string | undefined {
    const night = this.#nights.get(`${sourceId} ${nightStart(startMs)}`);
    if (!night) return undefined;
    const isNewSession = sessionId !== undefined && !night.sessionIds.has(sessionId);
    if (isNewSession && night.sessionIds.size >= ITEM_LIMITS.sessionsOfNight) {
      return `${ITEM_LIMITS.sessionsOfNight} sessions of a night`;
    }
    if (!isKnown && night.stages >= ITEM_LIMITS.stagesOfNight) return `${ITEM_LIMITS.stagesOfNight} stages of a night`;
    if (isNewSession) night.sessionIds.add(sessionId);
    if (!isKnown) night.stages++;
    return undefined;
  }
}

function tooMany(index: number, detail: string): Rejected {
  return { kind: 'rejected', collection: 'sleep_stages', index, field: 'start', code: TOO_MANY, detail };
}
