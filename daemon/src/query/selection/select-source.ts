import type { LossReason } from '@healthd/schemas';
import type { Priorities } from '../../priorities/index.js';
import type { RuleSource } from '../../store/facts/index.js';

export type { RuleSource };

/** One source's figures of one group on one date. */
export interface Candidate {
  source: RuleSource;
  /** The group's lead figure; null if the source does not have it. */
  lead: number | null;
}

/**
 * Minimum lead figure of a candidate. `movement`: half of the largest value of any device or cloud. `sleep`: three
 * quarters of the longest sleep of the best class. `any`: one reading.
 */
export type Enough = 'movement' | 'sleep' | 'any';

/** A row's lead group, which the other groups of the row follow. */
export interface Lead {
  winner: Candidate | undefined;
  /** Sources that measured too little in the lead group. They rank last in every group of the row. */
  passedOver: readonly RuleSource[];
}

export interface GroupRule {
  priorities: Priorities;
  enough: Enough;
  /** True if the lead figure is an amount, so that a larger value wins a tie. */
  isSum: boolean;
  /** Undefined for the lead group itself. */
  lead?: Lead | undefined;
}

/** A ranked candidate. `reason` is null for the winner. */
interface Placed<C> {
  candidate: C;
  reason: LossReason | null;
}

export interface Selection<C extends Candidate> {
  winner: C | undefined;
  /** All candidates, the best first. Candidates without the lead figure are last. */
  placed: readonly Placed<C>[];
  /** The sources that measured too little. */
  passedOver: readonly RuleSource[];
  rule: GroupRule;
}

/**
 * Loss reason for each position of a candidate's standing. At the first position that differs, the candidate with the
 * lower number wins.
 */
const CRITERIA = [
  'too_little',
  'lower_class',
  'other_provider_leads',
  'other_provider_leads',
  'lower_provider_priority',
  'lower_device_priority',
  'smaller_value',
] as const satisfies readonly LossReason[];
type Standing = readonly number[];

/**
 * Selects the source of a group of figures. This is the only rule of precedence between sources. Watches, bands and
 * rings rank before phones and apps. Then the operator's priorities decide. A source that measured far less than
 * another source is passed over. Neither the order of arrival nor database ids matter. Costs n log n.
 * @param archivedSource identity of the source that an archived night keeps. It wins if it is a candidate.
 */
export function selectSource<C extends Candidate>(
  candidates: readonly C[],
  rule: GroupRule,
  archivedSource?: string,
): Selection<C> {
  const [only] = candidates;
  if (only === undefined) return { winner: undefined, placed: [], passedOver: [], rule };
  if (candidates.length === 1 && (only.lead ?? 0) >= 0) {
    return { winner: only, placed: [{ candidate: only, reason: null }], passedOver: [], rule };
  }
  const { priorities, enough } = rule;
  const competing = withLeadFigure(candidates);
  const classOf = (candidate: C) => sourceClass(candidate.source, priorities);
  const least = leastEnough(competing, enough, classOf);
  const passedOver = competing.filter((candidate) => (candidate.lead ?? 0) < least).map(({ source }) => source);
  const last = new Set((rule.lead?.passedOver ?? passedOver).map(({ identity }) => identity));
  const ranked = competing
    .map((candidate) => ({
      candidate,
      standing: standingOf(candidate, last.has(candidate.source.identity), classOf(candidate), rule),
    }))
    .sort(
      (a, b) =>
        compareStandings(a.standing, b.standing) ||
        compareTexts(a.candidate.source.identity, b.candidate.source.identity),
    );
  const best = ranked[0];
  const withLead = new Set(competing);
  const others = candidates
    .filter((candidate) => !withLead.has(candidate))
    .map((candidate) => ({ candidate, reason: 'no_lead_figure' as const }));
  const selection = {
    winner: best?.candidate,
    placed: [
      ...ranked.map(({ candidate, standing }) => ({
        candidate,
        reason: candidate === best?.candidate ? null : reasonOf(standing, best?.standing ?? []),
      })),
      ...others,
    ],
    passedOver,
    rule,
  };
  return archivedSource === undefined ? selection : keepWinner(selection, archivedSource);
}

/**
 * Returns the order of the sources of one account for merging, which counts each instant once. A source whose lead figure
 * is zero ranks last, because it would not be a candidate.
 */
export function compareInAccount(priorities: Priorities): (a: Candidate, b: Candidate) => number {
  const standings = new WeakMap<Candidate, Standing>();
  const rule: GroupRule = { priorities, enough: 'any', isSum: true };
  const standing = (candidate: Candidate) => {
    const { source, lead } = candidate;
    const known =
      standings.get(candidate) ?? standingOf(candidate, (lead ?? 0) <= 0, sourceClass(source, priorities), rule);
    standings.set(candidate, known);
    return known;
  };
  return (a, b) => compareStandings(standing(a), standing(b)) || compareTexts(a.source.identity, b.source.identity);
}

/** Ranks the kept source of an archived night first. */
function keepWinner<C extends Candidate>(selection: Selection<C>, identity: string): Selection<C> {
  const { placed, passedOver } = selection;
  const at = placed.findIndex(({ candidate }) => candidate.source.identity === identity);
  const keptCandidate = placed[at]?.candidate;
  if (!keptCandidate || selection.winner === keptCandidate) return selection;
  const others = placed.map(({ candidate, reason }, place) => ({
    candidate,
    reason: place < at ? ('archived' as const) : reason,
  }));
  return {
    ...selection,
    winner: keptCandidate,
    placed: [{ candidate: keptCandidate, reason: null }, ...others.toSpliced(at, 1)],
    passedOver: passedOver.filter((source) => source.identity !== identity),
  };
}

/**
 * Returns 0 for wearables and clouds, 1 for phones, scales and apps. Wearables are the device types before `phone` in
 * the operator's list. A device of unknown type counts as a wearable. A list that starts with `phone` makes a single
 * class.
 */
export function sourceClass(source: RuleSource, priorities: Priorities): 0 | 1 {
  if (priorities.phoneIsFirst) return 0;
  if (!source.hasDevice) return source.isCloud ? 0 : 1;
  const isUnknown = source.deviceType === null || source.deviceType === 'unknown';
  return isUnknown || priorities.isBeforePhone(source.deviceType as string) ? 0 : 1;
}

/**
 * Returns the candidates that have the lead figure. If any source's figure is above zero, returns only candidates above
 * zero. Returns all candidates if no candidate has the lead figure.
 */
function withLeadFigure<C extends Candidate>(candidates: readonly C[]): readonly C[] {
  const positive = candidates.filter(({ lead }) => lead !== null && lead > 0);
  if (positive.length > 0) return positive;
  const known = candidates.filter(({ lead }) => lead !== null);
  return known.length > 0 ? known : candidates;
}

/** Returns the value below which a candidate of a lead group is passed over. */
function leastEnough<C extends Candidate>(
  competing: readonly C[],
  enough: Enough,
  classOf: (candidate: C) => number,
): number {
  if (enough === 'any' || competing.length === 0) return Number.NEGATIVE_INFINITY;
  if (enough === 'movement') {
    return largest(competing.filter(({ source }) => source.hasDevice || source.isCloud)) / 2;
  }
  const bestClass = competing.reduce((best, candidate) => Math.min(best, classOf(candidate)), 1);
  return largest(competing.filter((candidate) => classOf(candidate) === bestClass)) * 0.75;
}

function largest(candidates: readonly Candidate[]): number {
  return candidates.reduce((most, { lead }) => Math.max(most, lead ?? 0), 0);
}

function standingOf(
  { source, lead: value }: Candidate,
  isPassedOver: boolean,
  ownClass: number,
  { priorities, isSum, lead }: GroupRule,
): Standing {
  const leader = lead?.winner?.source;
  return [
    isPassedOver ? 1 : 0,
    ownClass,
    leader === undefined || leader.identity === source.identity ? 0 : 1,
    leader === undefined || (leader.provider === source.provider && leader.account === source.account) ? 0 : 1,
    priorities.provider(source),
    priorities.deviceType(source),
    isSum ? -(value ?? 0) : 0,
  ];
}

function compareStandings(a: Standing, b: Standing): number {
  const at = a.findIndex((value, place) => value !== b[place]);
  return at < 0 ? 0 : (a[at] as number) - (b[at] as number);
}

function reasonOf(standing: Standing, best: Standing): LossReason {
  const at = standing.findIndex((value, place) => value !== best[place]);
  return CRITERIA[at] ?? 'identity_order';
}

/** Compares by code units, so that the order does not depend on a locale. */
function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
