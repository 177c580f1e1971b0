import {
  coveredLength,
  groupIntervals,
  type Interval,
  isAsleep,
  MS_PER_MINUTE,
  SLEEP_LENGTH,
  SLEEP_STAGE_PRECEDENCE,
  type SleepStage,
} from '@healthd/model';
import { isOpening, joinVersions, type StageGroup, type StageInterval, withoutLongInBed } from './stage-groups.js';

/** A session built from stages. Seconds are undefined where the stages do not say. */
export interface AssembledSession {
  /** The vendor's id of the session, where its stages carry one. */
  externalId?: string;
  /** The ids that its stages carry; with undefined where one carries none. */
  stageIds: ReadonlySet<string | undefined>;
  startMs: number;
  endMs: number;
  /** Of the last stage: where the person woke up. */
  offsetMinutes?: number;
  asleepSeconds?: number;
  inBedSeconds: number;
  awakeSeconds?: number;
  lightSeconds?: number;
  deepSeconds?: number;
  remSeconds?: number;
  efficiencyPercent?: number;
  /** Free of overlap, ascending. */
  stages: { stage: SleepStage; startMs: number; endMs: number }[];
}

/**
 * Builds the sessions of one source from all of its stages around some time; the same stages in any order give the same
 * sessions. Sleep (or lying in bed) opens a session and alone bridges time: a pause of more
 * than `gapMinutes` ends it, however long the person lay awake meanwhile. Waking and unknown stages join the session
 * that they touch or follow within that pause; they count as time in bed, but start and end are those of sleep. Stages
 * with a vendor's session id are that session regardless of the pauses between them and however near the next one lies;
 * sessions that lie mostly inside another are one with it, whatever their ids. Time in bed that would make a session
 * longer than any is left out of it.
 */
export function assembleSessions(stages: StageInterval[], gapMinutes: number): AssembledSession[] {
  const gapMs = gapMinutes * MS_PER_MINUTE;
  const ordered = [...stages].sort(byTime);
  const named = new Map<string, StageInterval[]>();
  for (const stage of ordered) {
    if (stage.sessionId === undefined) continue;
    const own = named.get(stage.sessionId);
    if (own) own.push(stage);
    else named.set(stage.sessionId, [stage]);
  }
  const unnamed = ordered.filter(({ sessionId }) => sessionId === undefined);
  const groups = cutAtPauses(
    unnamed.filter(({ stage }) => isOpening(stage)),
    gapMs,
  );
  for (const stage of unnamed) if (!isOpening(stage.stage)) join(groups, stage, gapMs);
  for (const [externalId, own] of named) {
    if (own.some(({ stage }) => isOpening(stage))) groups.push({ ...spanOf(own), externalId, stages: own });
  }
  return joinVersions(groups)
    .map(withoutLongInBed)
    .map(sessionOf)
    .sort((a, b) => a.startMs - b.startMs);
}

function spanOf(stages: readonly { startMs: number; endMs: number }[]): { startMs: number; endMs: number } {
  return {
    startMs: Math.min(...stages.map(({ startMs }) => startMs)),
    endMs: Math.max(...stages.map(({ endMs }) => endMs)),
  };
}

function byTime(a: StageInterval, b: StageInterval): number {
  return a.startMs - b.startMs || a.endMs - b.endMs || (a.stage < b.stage ? -1 : a.stage > b.stage ? 1 : 0);
}

function cutAtPauses(stages: StageInterval[], gapMs: number): StageGroup[] {
  const groups = groupIntervals(stages, ({ startMs, endMs }) => [startMs, endMs], { gap: gapMs });
  return groups.flatMap(({ from, to, items }) => {
    const group = { startMs: from, endMs: to, stages: items };
    const { stages: held } = withoutLongInBed(group);
    // Without time in bed that bridged them, its parts may be sessions of their own.
    return held.length === items.length ? [group] : cutAtPauses(held, gapMs);
  });
}

/** Gives a waking stage to the nearest session within the pause, of two equally near to the earlier. */
function join(groups: StageGroup[], stage: StageInterval, gapMs: number): void {
  let nearest: StageGroup | undefined;
  let nearestMs = Number.POSITIVE_INFINITY;
  for (const group of groups) {
    const distanceMs = Math.max(0, stage.startMs - group.endMs, group.startMs - stage.endMs);
    if (distanceMs < nearestMs) {
      nearest = group;
      nearestMs = distanceMs;
    }
  }
  if (nearest && nearestMs <= gapMs) nearest.stages.push(stage);
}

function sessionOf({ externalId, stages: raw }: StageGroup): AssembledSession {
  const ordered = raw.sort(byTime);
  const stages = withoutOverlap(ordered);
  const seconds = (...wanted: SleepStage[]) =>
    Math.round(
      stages
        .filter(({ stage }) => wanted.includes(stage))
        .reduce((sum, { startMs, endMs }) => sum + (endMs - startMs), 0) / 1000,
    );
  const has = (...wanted: SleepStage[]) => ordered.some(({ stage }) => wanted.includes(stage));
  const inBedSeconds = Math.round(
    coveredLength(ordered.map(({ startMs, endMs }): Interval => [startMs, endMs])) / 1000,
  );
  const hasStages = has('light', 'deep', 'rem');
  const asleepSeconds = hasStages || has('sleeping') ? seconds('sleeping', 'light', 'deep', 'rem') : undefined;
  const asleep = stages.filter(({ stage }) => isAsleep(stage));
  const sleep = spanOf(asleep);
  // Too little sleep for a session leaves one of time in bed, if there is any.
  const isLongEnough = sleep.endMs - sleep.startMs >= SLEEP_LENGTH.minMs;
  const core = isLongEnough ? sleep : spanOf(ordered.filter(({ stage }) => isOpening(stage)));
  return {
    externalId,
    stageIds: new Set(ordered.map(({ sessionId }) => sessionId)),
    startMs: core.startMs,
    endMs: core.endMs,
    offsetMinutes: offsetOfLast(ordered),
    asleepSeconds,
    inBedSeconds,
    awakeSeconds: hasStages || has('awake') ? seconds('awake') : undefined,
    lightSeconds: hasStages ? seconds('light') : undefined,
    deepSeconds: hasStages ? seconds('deep') : undefined,
    remSeconds: hasStages ? seconds('rem') : undefined,
    efficiencyPercent:
      asleepSeconds === undefined || inBedSeconds === 0
        ? undefined
        : Math.min(100, Math.max(0, (100 * asleepSeconds) / inBedSeconds)),
    stages,
  };
}

/** Cuts the intervals at each other's ends; each piece belongs to the stage that says most about it. */
function withoutOverlap(ordered: StageInterval[]): AssembledSession['stages'] {
  const cuts = [...new Set(ordered.flatMap(({ startMs, endMs }) => [startMs, endMs]))].sort((a, b) => a - b);
  const cleaned: AssembledSession['stages'] = [];
  let open: StageInterval[] = [];
  let next = 0;
  for (let index = 0; index + 1 < cuts.length; index++) {
    const startMs = cuts[index] as number;
    const endMs = cuts[index + 1] as number;
    open = open.filter((interval) => interval.endMs > startMs);
    while (next < ordered.length && (ordered[next] as StageInterval).startMs <= startMs) {
      open.push(ordered[next++] as StageInterval);
    }
    const best = open.reduce<StageInterval | undefined>((a, b) => (a && !saysMore(b, a) ? a : b), undefined);
    if (!best) continue;
    const last = cleaned.at(-1);
    if (last && last.stage === best.stage && last.endMs === startMs) last.endMs = endMs;
    else cleaned.push({ stage: best.stage, startMs, endMs });
  }
  return cleaned;
}

function saysMore(a: StageInterval, b: StageInterval): boolean {
  const rank = SLEEP_STAGE_PRECEDENCE[a.stage] - SLEEP_STAGE_PRECEDENCE[b.stage];
  if (rank !== 0) return rank > 0;
  const length = a.endMs - a.startMs - (b.endMs - b.startMs);
  if (length !== 0) return length < 0;
  return byTime(a, b) < 0;
}

function offsetOfLast(ordered: StageInterval[]): number | undefined {
  const known = ordered.filter(({ offsetMinutes }) => offsetMinutes !== undefined);
  const last = known.reduce<StageInterval | undefined>((a, b) => (a && a.endMs > b.endMs ? a : b), undefined);
  return last?.offsetMinutes;
}
