import {
  coveredLength,
  groupIntervals,
  type Interval,
  isAsleep,
  MS_PER_HOUR,
  MS_PER_MINUTE,
  SLEEP_LENGTH,
  SLEEP_STAGE_PRECEDENCE,
  type SleepStage,
} from '@healthd/model';
import type { AssembledSession } from '../facts/sleep/session-columns.js';
import type { StageInterval } from '../facts/sleep/stages.js';
import {
  DisjointSets,
  intervalOf,
  isOpening,
  joinVersions,
  type StageGroup,
  spanOf,
  withoutLongInBed,
} from './stage-groups.js';

/**
 * Longest pause in a session with a vendor's ID. A longer pause means that a stage has a wrong time, which must not hide
 * the rest of the night.
 */
const NAMED_PAUSE_MS = 12 * MS_PER_HOUR;

/** Returns the longest pause within a vendor's session. */
export function longestPause(gapMinutes: number): number {
  return Math.max(NAMED_PAUSE_MS, gapMinutes * MS_PER_MINUTE);
}

/**
 * Builds one source's sessions from all of its stages around some time, independent of their order. Only sleep or lying
 * in bed starts a session and bridges time. A pause of more than `gapMinutes` ends the session, even if the user lay
 * awake. Waking and unknown stages join the nearest session within that pause. They count as time in bed, but never
 * change the session's start and end. Stages with a vendor's session ID form that session, regardless of nearby
 * sessions and of pauses up to {@link longestPause}; a longer pause divides it. Sessions that lie mostly inside another
 * session are merged with it, whatever their IDs. Time in bed that would make a session too long is dropped.
 */
export function assembleSessions(stages: readonly StageInterval[], gapMinutes: number): AssembledSession[] {
  const gapMs = gapMinutes * MS_PER_MINUTE;
  const ordered = [...stages].sort(byTime);
  const unnamed = ordered.filter(({ sessionId }) => sessionId === undefined);
  const groups = cutAtPauses(
    unnamed.filter(({ stage }) => isOpening(stage)),
    gapMs,
  );
  for (const stage of unnamed) if (!isOpening(stage.stage)) nearestGroup(groups, stage, gapMs)?.stages.push(stage);
  for (const own of namedParts(ordered, gapMinutes)) {
    const externalId = own[0]?.sessionId as string;
    if (own.some(({ stage }) => isOpening(stage))) groups.push({ ...spanOf(own), externalId, stages: own });
  }
  return joinVersions(groups)
    .map(withoutLongInBed)
    .map(sessionOf)
    .sort((a, b) => a.startMs - b.startMs);
}

/**
 * Groups the stages so that no session spans two groups. Stages that are close enough for one session share a group.
 * A vendor's session shares a group with all stages between its stages.
 */
export function stagesTogether(
  stages: readonly StageInterval[],
  gapMinutes: number,
): { from: number; to: number; stages: StageInterval[] }[] {
  const units = namedParts(stages, gapMinutes);
  for (const stage of stages) if (stage.sessionId === undefined) units.push([stage]);
  const intervalOfUnit = (unit: StageInterval[]): Interval => {
    const { startMs, endMs } = spanOf(unit);
    return [startMs, endMs];
  };
  return groupIntervals(units, intervalOfUnit, { gap: gapMinutes * MS_PER_MINUTE }).map(({ from, to, items }) => ({
    from,
    to,
    stages: items.flat(),
  }));
}

/** Returns the stages of each vendor's session, divided at pauses that are too long. */
function namedParts(stages: readonly StageInterval[], gapMinutes: number): StageInterval[][] {
  const named = new Map<string, StageInterval[]>();
  for (const stage of stages) {
    if (stage.sessionId === undefined) continue;
    const own = named.get(stage.sessionId);
    if (own) own.push(stage);
    else named.set(stage.sessionId, [stage]);
  }
  return [...named.values()].flatMap((own) =>
    groupIntervals(own, intervalOf, { gap: longestPause(gapMinutes) }).map(({ items }) => items),
  );
}

function byTime(a: StageInterval, b: StageInterval): number {
  return a.startMs - b.startMs || a.endMs - b.endMs || (a.stage < b.stage ? -1 : a.stage > b.stage ? 1 : 0);
}

function cutAtPauses(stages: StageInterval[], gapMs: number): StageGroup[] {
  const groups = groupIntervals(stages, intervalOf, { gap: gapMs });
  return groups.flatMap(({ from, to, items }) => {
    const group = { startMs: from, endMs: to, stages: items };
    const { stages: held } = withoutLongInBed(group);
    // Divides the remaining stages at pauses, because the removed time in bed no longer connects them.
    return held.length === items.length ? [group] : cutAtPauses(held, gapMs);
  });
}

/**
 * Returns the group nearest to a waking stage within the pause. On a tie, returns the earlier group.
 * @param groups ascending without overlap
 */
function nearestGroup(groups: readonly StageGroup[], stage: StageInterval, gapMs: number): StageGroup | undefined {
  let low = 0;
  let high = groups.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((groups[middle] as StageGroup).endMs < stage.startMs) low = middle + 1;
    else high = middle;
  }
  const [before, after] = [groups[low - 1], groups[low]];
  const beforeMs = before ? stage.startMs - before.endMs : Number.POSITIVE_INFINITY;
  const afterMs = after ? Math.max(0, after.startMs - stage.endMs) : Number.POSITIVE_INFINITY;
  if (Math.min(beforeMs, afterMs) > gapMs) return undefined;
  return beforeMs <= afterMs ? before : after;
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
  const inBedSeconds = Math.round(coveredLength(ordered.map(intervalOf)) / 1000);
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
function withoutOverlap(stages: readonly StageInterval[]): AssembledSession['stages'] {
  const cuts = [...new Set(stages.flatMap(({ startMs, endMs }) => [startMs, endMs]))].sort((a, b) => a - b);
  const pieceAt = new Map(cuts.map((ms, piece) => [ms, piece]));
  const owners: (StageInterval | undefined)[] = new Array(cuts.length);
  // Links each assigned piece to the next piece, so that the root of a piece is the next free piece.
  const free = new DisjointSets(cuts.length);
  for (const stage of [...stages].sort(bySpecificity)) {
    const end = pieceAt.get(stage.endMs) as number;
    for (let piece = free.rootOf(pieceAt.get(stage.startMs) as number); piece < end; piece = free.rootOf(piece)) {
      owners[piece] = stage;
      free.join(piece, piece + 1);
    }
  }
  const cleaned: AssembledSession['stages'] = [];
  for (const [piece, owner] of owners.entries()) {
    if (!owner) continue;
    const [startMs, endMs] = [cuts[piece] as number, cuts[piece + 1] as number];
    const last = cleaned.at(-1);
    if (last && last.stage === owner.stage && last.endMs === startMs) last.endMs = endMs;
    else cleaned.push({ stage: owner.stage, startMs, endMs });
  }
  return cleaned;
}

/** Sorts the most specific stage first. On a tie, the shorter stage is first, then the earlier stage. */
function bySpecificity(a: StageInterval, b: StageInterval): number {
  const rank = SLEEP_STAGE_PRECEDENCE[b.stage] - SLEEP_STAGE_PRECEDENCE[a.stage];
  return rank || a.endMs - a.startMs - (b.endMs - b.startMs) || byTime(a, b);
}

function offsetOfLast(ordered: StageInterval[]): number | undefined {
  const known = ordered.filter(({ offsetMinutes }) => offsetMinutes !== undefined);
  const last = known.reduce<StageInterval | undefined>((a, b) => (a && a.endMs > b.endMs ? a : b), undefined);
  return last?.offsetMinutes;
}
