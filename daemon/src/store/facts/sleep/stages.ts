import { pushedIdKey, type SleepStage, type SleepStageRecord } from '@healthd/model';
import { storableText } from '../storable-text.js';

/** A stage of a batch. */
export interface ArrivingStage {
  record: SleepStageRecord;
  sourceId: number;
  /** Position in the batch. */
  index: number;
}

/** One stage of one source, [startMs, endMs). */
export interface StageInterval {
  stage: SleepStage;
  startMs: number;
  endMs: number;
  offsetMinutes?: number;
  /** Vendor's id of the session that contains the stage. */
  sessionId?: string;
}

/** A row of `sleep_stage`. */
export interface StageRow extends StageInterval {
  sourceId: number;
  /** True if only files contain the stage. */
  fromFile: boolean;
  /** Hash of the id under which a phone pushed the stage, from `pushedIdKey`. */
  pushedKey?: string;
}

/** Returns the row of an arriving stage. @param fromFile true if a file contains the stage */
export function stageRow({ record, sourceId }: ArrivingStage, fromFile: boolean): StageRow {
  const { stage, startMs, endMs, offsetMinutes, sessionId, pushedId } = record;
  return {
    sourceId,
    stage,
    startMs,
    endMs,
    offsetMinutes,
    sessionId: sessionId === undefined ? undefined : storableText(sessionId),
    fromFile,
    pushedKey: pushedId === undefined ? undefined : pushedIdKey(pushedId),
  };
}

/** Returns a key that is equal for versions of the same stage. */
export function stageKey({
  sourceId,
  startMs,
  endMs,
  stage,
}: Pick<StageRow, 'sourceId' | 'startMs' | 'endMs' | 'stage'>): string {
  return `${sourceId} ${startMs} ${endMs} ${stage}`;
}

/** Stored stages of one night of a source. A night starts at noon UTC. */
export interface StoredNight {
  sourceId: number;
  fromMs: number;
  stages: number;
  sessionIds: readonly string[];
}
