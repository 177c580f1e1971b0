import type { HealthRecord, HealthScoreRecord, SleepStage, SleepStageRecord } from '@healthd/model';
import { MS_PER_DAY } from '@healthd/model';
import { idOf, isObject, numberOf, textOf } from '../payload/index.js';
import type { ItemReader, PlacedItem } from './item-reader.js';

const STAGES: ReadonlySet<string> = new Set<SleepStage>([
  'in_bed',
  'sleeping',
  'awake',
  'light',
  'deep',
  'rem',
  'unknown',
]);
/** Longest stage. A longer stage comes from a device left on. */
const LONGEST_STAGE_MS = MS_PER_DAY;
const SCORE = 'sleepScore';

/** Reads the stages of `data.sleep`, and scores that some vendors attach to them. */
export function readSleep(items: readonly unknown[], reader: ItemReader): HealthRecord[] {
  const { tally } = reader;
  const stages: SleepStageRecord[] = [];
  const scores = new Map<string, HealthScoreRecord>();
  for (const [index, value] of items.entries()) {
    const placed = reader.read('sleep', value, index);
    if (!placed) continue;
    const { item, startMs, endMs, source, offsetMinutes } = placed;
    const stage = textOf(item.stage);
    if (stage === undefined) tally.reject('sleep', index, 'stage', item.stage == null ? 'missing' : 'invalid_value');
    else if (!STAGES.has(stage)) tally.ignore(`sleep stage ${stage}`);
    else if (endMs === startMs) tally.reject('sleep', index, 'endDate', 'empty_interval');
    else if (endMs - startMs > LONGEST_STAGE_MS) tally.reject('sleep', index, 'endDate', 'interval_too_long');
    else {
      const sessionId = idOf(item.parentId);
      stages.push({
        kind: 'sleep_stage',
        source,
        stage: stage as SleepStage,
        startMs,
        endMs,
        offsetMinutes,
        sessionId,
        pushedId: idOf(item.id),
      });
      keepScore(scores, placed, sessionId ?? idOf(item.id));
      tally.accept('sleep');
    }
  }
  return [...stages, ...scores.values()];
}

/**
 * Updates the scores by session id. One stage carries the vendor's score of its session. The score's time is the latest
 * known end of the session.
 */
function keepScore(scores: Map<string, HealthScoreRecord>, placed: PlacedItem, externalId: string | undefined): void {
  if (externalId === undefined) return;
  const known = scores.get(externalId);
  if (known) known.atMs = Math.max(known.atMs, placed.endMs);
  const { values } = placed.item;
  if (!Array.isArray(values)) return;
  const score = values.find((value) => isObject(value) && value.type === SCORE);
  const value = isObject(score) ? numberOf(score.value) : undefined;
  if (value === undefined || value < 0 || value > 100) return;
  const { source, offsetMinutes, endMs } = placed;
  const atMs = Math.max(endMs, known?.atMs ?? endMs);
  scores.set(externalId, { kind: 'health_score', source, category: 'sleep', externalId, value, atMs, offsetMinutes });
}
