import {
  coveredLength,
  groupIntervals,
  type Interval,
  ITEM_LIMITS,
  isAsleep,
  SLEEP_LENGTH,
  type SleepStage,
  unionOf,
} from '@healthd/model';
import type { StageInterval } from '../facts/sleep/stages.js';

/** One source's stages that form one session. */
export interface StageGroup {
  /** The vendor's ID; undefined if no stage has an ID. */
  externalId?: string;
  startMs: number;
  endMs: number;
  stages: StageInterval[];
}

/** True if a stage is sleep or lying in bed, so that the group can form a session. */
export function isOpening(stage: SleepStage): boolean {
  return stage !== 'awake' && stage !== 'unknown';
}

/**
 * Joins groups that lie mostly inside another group. A user sleeps once at a time, so these groups are versions of one
 * session with two IDs, or with and without an ID. Groups that overlap less stay separate.
 */
export function joinVersions(groups: readonly StageGroup[]): StageGroup[] {
  const touching = groupIntervals(groups, ({ startMs, endMs }) => [startMs, endMs]);
  return touching.flatMap(({ items }) => (items.length === 1 ? items : clustersOf(items).map(joined)));
}

/**
 * Removes the longest times in bed from a group with sleep until the group is short enough for a session. Such times in
 * bed come from a device that was left on. They must not hide the night.
 */
export function withoutLongInBed(group: StageGroup): StageGroup {
  if (!group.stages.some(({ stage }) => isAsleep(stage))) return group;
  const inBed = group.stages
    .filter(({ stage }) => stage === 'in_bed')
    .sort((a, b) => b.endMs - b.startMs - (a.endMs - a.startMs) || a.startMs - b.startMs);
  const stagesWithout = (count: number) => {
    const removed = new Set(inBed.slice(0, count));
    return group.stages.filter((stage) => !removed.has(stage));
  };
  const isShort = (stages: StageInterval[]) => coveredLength(stages.map(intervalOf)) <= SLEEP_LENGTH.maxMs;
  if (isShort(group.stages)) return group;
  // The minimum number of stages to remove is between `least` and `most`, inclusive.
  let least = Math.min(1, inBed.length);
  let most = inBed.length;
  while (least < most) {
    const middle = (least + most) >> 1;
    if (isShort(stagesWithout(middle))) most = middle;
    else least = middle + 1;
  }
  return { ...group, stages: stagesWithout(least) };
}

/** A group with the data that {@link areVersions} compares. */
interface Candidate {
  group: StageGroup;
  /** Sleep and time in bed, ascending without overlap. */
  opening: Interval[];
  openingMs: number;
}

/**
 * Returns connected components of groups that are versions of each other. Compares each group with overlapping groups,
 * up to the maximum number of sessions of a night, because an earlier release may have stored more.
 */
function clustersOf(groups: readonly StageGroup[]): StageGroup[][] {
  const candidates = groups.map(candidateOf).sort((a, b) => a.group.startMs - b.group.startMs);
  const clusters = new DisjointSets(candidates.length);
  /** Positions of candidates that have not ended yet, in descending order of end. */
  const open: number[] = [];
  for (const [position, candidate] of candidates.entries()) {
    const { startMs, endMs } = candidate.group;
    const endOf = (at: number) => (candidates[open[at] as number] as Candidate).group.endMs;
    while (open.length > 0 && endOf(open.length - 1) <= startMs) open.pop();
    for (const other of open.slice(0, ITEM_LIMITS.sessionsOfNight)) {
      if (clusters.rootOf(other) === clusters.rootOf(position)) continue;
      if (areVersions(candidates[other] as Candidate, candidate)) clusters.join(other, position);
    }
    let low = 0;
    let high = open.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (endOf(middle) > endMs) low = middle + 1;
      else high = middle;
    }
    open.splice(low, 0, position);
  }
  const byRoot = new Map<number, StageGroup[]>();
  for (const [position, { group }] of candidates.entries()) {
    const root = clusters.rootOf(position);
    const cluster = byRoot.get(root);
    if (cluster) cluster.push(group);
    else byRoot.set(root, [group]);
  }
  return [...byRoot.values()];
}

/** Disjoint sets of numbers from 0. */
export class DisjointSets {
  private readonly parents: Int32Array;

  constructor(size: number) {
    this.parents = Int32Array.from({ length: size }, (_, index) => index);
  }

  /** Returns the number that represents a number's set. */
  rootOf(number: number): number {
    const { parents } = this;
    let root = number;
    while (parents[root] !== root) {
      // Halves the path to shorten later searches.
      parents[root] = parents[parents[root] as number] as number;
      root = parents[root] as number;
    }
    return root;
  }

  /** Joins two sets; the root of `into` represents both. */
  join(number: number, into: number): void {
    this.parents[this.rootOf(number)] = this.rootOf(into);
  }
}

function candidateOf(group: StageGroup): Candidate {
  const opening = unionOf(group.stages.filter(({ stage }) => isOpening(stage)).map(intervalOf));
  return { group, opening, openingMs: opening.reduce((sum, [from, to]) => sum + to - from, 0) };
}

function areVersions(a: Candidate, b: Candidate): boolean {
  if (a.group.startMs >= b.group.endMs || b.group.startMs >= a.group.endMs) return false;
  let sharedMs = 0;
  for (let i = 0, j = 0; i < a.opening.length && j < b.opening.length; ) {
    const [fromA, toA] = a.opening[i] as Interval;
    const [fromB, toB] = b.opening[j] as Interval;
    sharedMs += Math.max(0, Math.min(toA, toB) - Math.max(fromA, fromB));
    if (toA < toB) i++;
    else j++;
  }
  return 2 * sharedMs > Math.min(a.openingMs, b.openingMs);
}

/** Joins versions under the ID of the version that covers the most time; on a tie, the alphabetically first ID. */
function joined(versions: readonly StageGroup[]): StageGroup {
  if (versions.length === 1) return versions[0] as StageGroup;
  const named = versions
    .flatMap(({ externalId, stages }) => (externalId === undefined ? [] : [{ externalId, stages }]))
    .map(({ externalId, stages }) => ({ externalId, length: coveredLength(stages.map(intervalOf)) }))
    .sort((a, b) => b.length - a.length || (a.externalId < b.externalId ? -1 : 1));
  const stages = versions.flatMap((version) => version.stages);
  return { ...spanOf(versions), externalId: named[0]?.externalId, stages };
}

/** Returns the span from the first start to the last end. */
export function spanOf(parts: readonly { startMs: number; endMs: number }[]): { startMs: number; endMs: number } {
  let startMs = Number.POSITIVE_INFINITY;
  let endMs = Number.NEGATIVE_INFINITY;
  for (const part of parts) {
    if (part.startMs < startMs) startMs = part.startMs;
    if (part.endMs > endMs) endMs = part.endMs;
  }
  return { startMs, endMs };
}

export function intervalOf({ startMs, endMs }: StageInterval): Interval {
  return [startMs, endMs];
}
