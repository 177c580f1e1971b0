import {
  coveredLength,
  groupIntervals,
  type Interval,
  isAsleep,
  MS_PER_MINUTE,
  SLEEP_LENGTH,
  SLEEP_STAGE_PRECEDENCE,
  SLEEP_STAGES,
  type SleepStage,
} from '@healthd/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AssembledSession } from '../facts/sleep/session-columns.js';
import type { StageInterval } from '../facts/sleep/stages.js';
import { assembleSessions, stagesTogether } from './assembly.js';
import { isOpening, type StageGroup } from './stage-groups.js';

const NIGHT_MS = Date.UTC(2026, 2, 9, 20);

/** Stages of some nights, with gaps, overlaps, versions under other IDs, and stages of a device that was left on. */
const lives = fc
  .uniqueArray(
    fc.record({
      stage: fc.constantFrom<SleepStage>(...SLEEP_STAGES),
      night: fc.integer({ min: 0, max: 2 }),
      startMinutes: fc.oneof(
        { weight: 9, arbitrary: fc.integer({ min: 0, max: 700 }) },
        { weight: 1, arbitrary: fc.integer({ min: 0, max: 4_000 }) },
      ),
      minutes: fc.oneof(
        { weight: 8, arbitrary: fc.integer({ min: 1, max: 120 }) },
        { weight: 2, arbitrary: fc.integer({ min: 1, max: 2200 }) },
      ),
      sessionId: fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { nil: undefined }),
      offsetMinutes: fc.option(fc.constantFrom(0, 60), { nil: undefined }),
    }),
    {
      maxLength: 40,
      // Primary key of `sleep_stage` for one user and source.
      selector: ({ stage, night, startMinutes, minutes }) => `${stage} ${night} ${startMinutes} ${minutes}`,
    },
  )
  .map((parts) =>
    parts.map(({ stage, night, startMinutes, minutes, sessionId, offsetMinutes }): StageInterval => {
      const startMs = NIGHT_MS + (night * 1440 + startMinutes) * MS_PER_MINUTE;
      const id = sessionId === undefined ? undefined : `${sessionId}${night}`;
      return { stage, startMs, endMs: startMs + minutes * MS_PER_MINUTE, sessionId: id, offsetMinutes };
    }),
  );

describe('sessions assembled in n log n time', () => {
  it('equal the sessions of an all-pairs comparison', () => {
    fc.assert(
      fc.property(lives, fc.constantFrom(30, 120), (stages, gapMinutes) => {
        expect(inOrder(assembleSessions(stages, gapMinutes))).toEqual(inOrder(naiveSessions(stages, gapMinutes)));
      }),
      { numRuns: 800 },
    );
  });

  it('are the same when stages are assembled in separate groups', () => {
    fc.assert(
      fc.property(lives, fc.constantFrom(30, 120), (stages, gapMinutes) => {
        const groups = stagesTogether(stages, gapMinutes);
        const apart = groups.flatMap((group) => assembleSessions(group.stages, gapMinutes));
        expect(inOrder(apart)).toEqual(inOrder(naiveSessions(stages, gapMinutes)));
      }),
      { numRuns: 400 },
    );
  });
});

/** Sessions with the same start and end have no fixed order. */
function inOrder(sessions: AssembledSession[]) {
  const texts = sessions.map((session) => ({ ...session, stageIds: [...session.stageIds].map(String).sort() }));
  return texts.sort((a, b) => a.startMs - b.startMs || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

// Reference implementation without limits: compares every session with every other session.

function naiveSessions(stages: StageInterval[], gapMinutes: number): AssembledSession[] {
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
  for (const [externalId, stages] of named) {
    for (const own of dividedAtPauses(stages)) {
      if (own.some(({ stage }) => isOpening(stage))) groups.push({ ...spanOf(own), externalId, stages: own });
    }
  }
  return joinVersions(groups)
    .map(withoutLongInBed)
    .map(sessionOf)
    .sort((a, b) => a.startMs - b.startMs);
}

/** Divides a vendor's stages, in order, at pauses of more than 12 hours. */
function dividedAtPauses(ordered: StageInterval[]): StageInterval[][] {
  const isAfterPause = ordered.map(({ startMs }, at) =>
    ordered.slice(0, at).every(({ endMs }) => startMs - endMs > 12 * 60 * MS_PER_MINUTE),
  );
  const parts: StageInterval[][] = [];
  for (const [at, stage] of ordered.entries()) {
    if (isAfterPause[at]) parts.push([stage]);
    else parts.at(-1)?.push(stage);
  }
  return parts;
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
    // Divides the remaining stages at pauses, because the removed time in bed no longer connects them.
    return held.length === items.length ? [group] : cutAtPauses(held, gapMs);
  });
}

/** Adds a waking stage to the nearest session within the pause. On a tie, adds it to the earlier session. */
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
  const seconds = (...stageTypes: SleepStage[]) =>
    Math.round(
      stages
        .filter(({ stage }) => stageTypes.includes(stage))
        .reduce((sum, { startMs, endMs }) => sum + (endMs - startMs), 0) / 1000,
    );
  const has = (...stageTypes: SleepStage[]) => ordered.some(({ stage }) => stageTypes.includes(stage));
  const inBedSeconds = Math.round(
    coveredLength(ordered.map(({ startMs, endMs }): Interval => [startMs, endMs])) / 1000,
  );
  const hasStages = has('light', 'deep', 'rem');
  const asleepSeconds = hasStages || has('sleeping') ? seconds('sleeping', 'light', 'deep', 'rem') : undefined;
  const asleep = stages.filter(({ stage }) => isAsleep(stage));
  const sleep = spanOf(asleep);
  // Uses the time in bed as the session if there is not enough sleep for a session.
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

/** Cuts the intervals at each other's ends. Each piece belongs to the most specific stage. */
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

/**
 * Joins groups that lie mostly inside another group. A user sleeps once at a time, so these groups are versions of one
 * session with two IDs, or with and without an ID. Groups that overlap less stay separate.
 */
function joinVersions(groups: readonly StageGroup[]): StageGroup[] {
  const touching = groupIntervals(groups, ({ startMs, endMs }) => [startMs, endMs]);
  return touching.flatMap(({ items }) => clustersOf(items).map(joined));
}

/**
 * Removes the longest times in bed from a group with sleep until the group is short enough for a session. Such times in
 * bed come from a device that was left on. They must not hide the night.
 */
function withoutLongInBed(group: StageGroup): StageGroup {
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

/** Joins versions under the ID of the version that covers the most time; on a tie, the alphabetically first ID. */
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
