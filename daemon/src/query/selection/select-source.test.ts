import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Priorities } from '../../priorities/ranking.js';
import { selectNewest } from './select-newest.js';
import {
  type Candidate,
  compareInAccount,
  type Enough,
  type GroupRule,
  type Lead,
  type RuleSource,
  selectSource,
} from './select-source.js';

const PROVIDERS = ['apple', 'garmin', 'oura'];
const DEVICE_TYPES = ['watch', 'ring', 'phone', 'scale'];
const priorities = new Priorities(
  new Map(PROVIDERS.map((provider, index) => [provider, index + 1])),
  new Map(DEVICE_TYPES.map((type, index) => [type, index + 1])),
);

const source = fc.record({
  provider: fc.constantFrom(...PROVIDERS),
  account: fc.constantFrom(null, 'first', 'second'),
  deviceType: fc.constantFrom(null, 'unknown', ...DEVICE_TYPES),
  hasDevice: fc.boolean(),
  isCloud: fc.boolean(),
});
// Multiples of 25 often hit the limits of one half and three quarters exactly.
const lead = fc.option(fc.constantFrom(0, 25, 49, 50, 74, 75, 99, 100), { nil: null });
const candidates = fc
  .array(fc.tuple(source, lead), { minLength: 1, maxLength: 6 })
  .map((items) =>
    items.map(([facts, value], index): Candidate => ({ source: { ...facts, identity: `${index}` }, lead: value })),
  );

/** Implements the documented rule literally, without regard to performance. */
function naiveWinner(all: readonly Candidate[], rule: Pick<GroupRule, 'enough' | 'isSum' | 'lead'>): Candidate {
  const isUpper = ({ source: { hasDevice, isCloud, deviceType } }: Candidate) =>
    hasDevice ? deviceType === null || ['unknown', 'watch', 'ring'].includes(deviceType) : isCloud;
  const above = all.filter(({ lead }) => lead !== null && lead > 0);
  const known = all.filter(({ lead }) => lead !== null);
  const competing = above.length > 0 ? above : known.length > 0 ? known : all;
  const most = (some: readonly Candidate[]) => Math.max(0, ...some.map(({ lead }) => lead ?? 0));
  const isTooLittle = (one: Candidate) => {
    if (rule.enough === 'any') return false;
    if (rule.enough === 'movement') {
      return (one.lead ?? 0) * 2 < most(competing.filter(({ source }) => source.hasDevice || source.isCloud));
    }
    const bestClass = competing.some(isUpper) ? competing.filter(isUpper) : competing;
    return (one.lead ?? 0) * 4 < most(bestClass) * 3;
  };
  const isPassedOver = (one: Candidate) =>
    rule.lead ? rule.lead.passedOver.some(({ identity }) => identity === one.source.identity) : isTooLittle(one);
  const leader = rule.lead?.winner?.source;
  const isOfLeader = ({ source }: Candidate) =>
    leader?.provider === source.provider && leader.account === source.account;
  const rankOf = (list: readonly string[], name: string | null) => {
    const at = list.indexOf(name ?? '');
    return at < 0 ? Number.POSITIVE_INFINITY : at;
  };
  const beats = (a: Candidate, b: Candidate): boolean => {
    if (isPassedOver(a) !== isPassedOver(b)) return isPassedOver(b);
    if (isUpper(a) !== isUpper(b)) return isUpper(a);
    const [aLeads, bLeads] = [a, b].map(({ source }) => leader?.identity === source.identity);
    if (aLeads !== bLeads) return aLeads === true;
    if (leader && isOfLeader(a) !== isOfLeader(b)) return isOfLeader(a);
    if (a.source.provider !== b.source.provider) {
      return rankOf(PROVIDERS, a.source.provider) < rankOf(PROVIDERS, b.source.provider);
    }
    const [aType, bType] = [a, b].map(({ source }) => rankOf(DEVICE_TYPES, source.deviceType));
    if (aType !== bType) return (aType as number) < (bType as number);
    if (rule.isSum && a.lead !== b.lead) return (a.lead ?? 0) > (b.lead ?? 0);
    return a.source.identity < b.source.identity;
  };
  return competing.find((one) => competing.every((other) => other === one || beats(one, other))) as Candidate;
}

describe('source selection', () => {
  const rule = fc.record({ enough: fc.constantFrom<Enough>('movement', 'sleep', 'any'), isSum: fc.boolean() });

  it('matches a naive implementation for a lead group', () => {
    const property = fc.property(candidates, rule, (all, facts) => {
      const { winner, placed } = selectSource(all, { ...facts, priorities });
      expect(winner).toBe(naiveWinner(all, facts));
      expect(placed[0]).toEqual({ candidate: winner, reason: null });
    });
    fc.assert(property, { numRuns: 3_000 });
  });

  it('matches a naive implementation for a following group', () => {
    const property = fc.property(candidates, fc.nat(), fc.nat({ max: 63 }), fc.boolean(), (all, pick, bits, isSum) => {
      const sources: RuleSource[] = all.map(({ source }) => source);
      const lead: Lead = {
        winner: pick % 4 === 0 ? undefined : all[pick % all.length],
        passedOver: sources.filter((_, index) => (bits >> index) % 2 === 1),
      };
      const facts = { enough: 'any', isSum, lead } as const;
      expect(selectSource(all, { ...facts, priorities }).winner).toBe(naiveWinner(all, facts));
    });
    fc.assert(property, { numRuns: 3_000 });
  });

  it("orders an account's sources like a naive implementation", () => {
    const property = fc.property(candidates, (all) => {
      const account = all.map((one) => ({ ...one, source: { ...one.source, provider: 'apple', account: 'first' } }));
      const ordered = account.toSorted(compareInAccount(priorities));
      for (const [at, best] of ordered.entries()) {
        // For a summed series, null and zero rank equally.
        const left = ordered.slice(at).map((one) => ({ ...one, lead: one.lead ?? 0 }));
        expect(best.source).toEqual(naiveWinner(left, { enough: 'any', isSum: true }).source);
      }
    });
    fc.assert(property, { numRuns: 3_000 });
  });

  it('ranks the retained source of an archived night first', () => {
    const property = fc.property(candidates, rule, fc.nat({ max: 7 }), (all, facts, pick) => {
      const free = selectSource(all, { ...facts, priorities });
      const placedCandidate = selectSource(all, { ...facts, priorities }, `${pick}`);
      const at = free.placed.findIndex(({ candidate }) => candidate.source.identity === `${pick}`);
      if (at <= 0) {
        expect(placedCandidate).toEqual(free);
        return;
      }
      const before = free.placed.slice(0, at).map(({ candidate }) => ({ candidate, reason: 'archived' }));
      const first = { candidate: free.placed[at]?.candidate, reason: null };
      expect(placedCandidate.placed).toEqual([first, ...before, ...free.placed.slice(at + 1)]);
      expect(placedCandidate.winner).toBe(first.candidate);
      expect(placedCandidate.passedOver).toEqual(free.passedOver.filter(({ identity }) => identity !== `${pick}`));
    });
    fc.assert(property, { numRuns: 1_000 });
  });

  it('selects the newest reading like a naive implementation', () => {
    const dated = fc.record({ source, days: fc.nat({ max: 3 }), isProfile: fc.boolean() });
    const property = fc.property(fc.array(dated, { maxLength: 6 }), (readings) => {
      const all = readings.map((one, at) => ({
        source: { ...one.source, identity: `${at}` },
        lead: 1,
        at: new Date(one.days * 86_400_000),
        isProfile: one.isProfile,
      }));
      const { winner, placed } = selectNewest(all, priorities);
      const measured = all.filter(({ isProfile }) => !isProfile);
      const counted = measured.length > 0 ? measured : all;
      const newest = counted.filter(({ at }) => counted.every((other) => other.at <= at));
      expect(winner).toBe(newest.length > 0 ? naiveWinner(newest, { enough: 'any', isSum: false }) : undefined);
      const others = placed.slice(newest.length);
      expect(others.map(({ candidate }) => candidate)).toEqual(
        [...measured, ...all.filter(({ isProfile }) => isProfile)]
          .toSorted((a, b) => (a.isProfile === b.isProfile ? b.at.getTime() - a.at.getTime() : 0))
          .filter((one) => !newest.includes(one)),
      );
      for (const { candidate, reason } of others) {
        expect(reason).toBe(candidate.isProfile && measured.length > 0 ? 'profile_value' : 'older_reading');
      }
    });
    fc.assert(property, { numRuns: 1_000 });
  });

  it('ignores the order of the candidates', () => {
    const property = fc.property(candidates, rule, fc.nat(), (all, facts, turn) => {
      const turned = [...all.slice(turn % all.length), ...all.slice(0, turn % all.length)];
      const identities = (given: readonly Candidate[]) =>
        selectSource(given, { ...facts, priorities })
          .placed.filter(({ reason }) => reason !== 'no_lead_figure')
          .map(({ candidate }) => candidate.source.identity);
      expect(identities(turned)).toEqual(identities(all));
    });
    fc.assert(property, { numRuns: 500 });
  });
});
