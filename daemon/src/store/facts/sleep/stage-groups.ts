import { coveredLength, groupIntervals, type Interval, isAsleep, SLEEP_LENGTH, type SleepStage } from '@healthd/model';

/** One stage of one source, [startMs, endMs). */
export interface StageInterval {
  stage: SleepStage;
  startMs: number;
  endMs: number;
  offsetMinutes?: number;
  /** The vendor's id of the session that it belongs to. */
  sessionId?: string;
}

/** Stages of one source that are one session. */
export interface StageGroup {
  /** The vendor's id; undefined where no stage carries one. */
  externalId?: string;
  startMs: number;
  endMs: number;
  stages: StageInterval[];
}

/** Whether a stage is sleep or lying in bed, which alone make a session. */
export function isOpening(stage: SleepStage): boolean {
  return stage !== 'awake' && stage !== 'unknown';
}

/**
 * Joins groups of which one lies mostly inside another: a person sleeps once at a time, so they are versions of one
 * session that came under two ids, or with one and without. Those that share less stay as they are.
 */
export function joinVersions(groups: readonly StageGroup[]): StageGroup[] {
  const touching = groupIntervals(groups, ({ startMs, endMs }) => [startMs, endMs]);
  return touching.flatMap(({ items }) => clustersOf(items).map(joined));
}

/**
 * A group with sleep in it, without its longest times in bed as long as it is longer than a session can be: those are a
 * device left on, and the night in between is none.
 */
export function withoutLongInBed(group: StageGroup): StageGroup {
  if (!group.stages.some(({ stage }) => isAsleep(stage))) return group;
  const inBed = group.stages
    .filter(({ stage }) => stage === 'in_bed')
    .sort((a, b) => a.endMs - a.startMs - (b.endMs - b.startMs) || b.startMs - a.startMs);
  let { stages } = group;
  while (inBed.length > 0 && coveredLength(stages.map(intervalOf)) > SLEEP_LENGTH.maxMs) {
    const longest = inBed.pop();
    stages = stages.filter((stage) => stage !== longest);
  }
  return { ...group, stages };
}

function clustersOf(groups: readonly StageGroup[]): StageGroup[][] {
  let clusters: StageGroup[][] = [];
  for (const group of groups) {
    const isSame = (cluster: StageGroup[]) => cluster.some((other) => areVersions(group, other));
    clusters = [...clusters.filter((cluster) => !isSame(cluster)), [...clusters.filter(isSame).flat(), group]];
  }
  return clusters;
}

function areVersions(a: StageGroup, b: StageGroup): boolean {
  if (a.startMs >= b.endMs || b.startMs >= a.endMs) return false;
  const [first, second] = [openingIntervals(a), openingIntervals(b)];
  const [lengthA, lengthB] = [coveredLength(first), coveredLength(second)];
  const sharedMs = lengthA + lengthB - coveredLength([...first, ...second]);
  return 2 * sharedMs > Math.min(lengthA, lengthB);
}

/** The id of the version that covers the most, of two that cover as much the first by its letters. */
function joined(versions: readonly StageGroup[]): StageGroup {
  const named = versions
    .flatMap(({ externalId, stages }) => (externalId === undefined ? [] : [{ externalId, stages }]))
    .map(({ externalId, stages }) => ({ externalId, length: coveredLength(stages.map(intervalOf)) }))
    .sort((a, b) => b.length - a.length || (a.externalId < b.externalId ? -1 : 1));
  return {
    externalId: named[0]?.externalId,
    startMs: Math.min(...versions.map(({ startMs }) => startMs)),
    endMs: Math.max(...versions.map(({ endMs }) => endMs)),
    stages: versions.flatMap(({ stages }) => stages),
  };
}

function openingIntervals({ stages }: StageGroup): Interval[] {
  return stages.filter(({ stage }) => isOpening(stage)).map(intervalOf);
}

function intervalOf({ startMs, endMs }: StageInterval): Interval {
  return [startMs, endMs];
}
