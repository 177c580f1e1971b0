import { MS_PER_MINUTE } from '@healthd/model';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Turns } from '../../platform/turns.js';
import { Priorities } from '../../priorities/ranking.js';
import type { RuleSource } from './select-source.js';
import { withoutCopies } from './workout-copies.js';

const PROVIDERS = ['apple', 'garmin', 'oura'];
const DEVICES = ['watch', 'phone'];
const priorities = new Priorities(
  new Map(PROVIDERS.map((name, at) => [name, at])),
  new Map(DEVICES.map((name, at) => [name, at])),
);
/** Six sources, the best first. */
const SOURCES = DEVICES.flatMap((deviceType) =>
  PROVIDERS.map(
    (provider): RuleSource => ({
      provider,
      account: null,
      deviceType,
      hasDevice: true,
      isCloud: false,
      identity: `${provider} ${deviceType}`,
    }),
  ),
);
const FAMILIES: Record<string, string> = { running: 'running', treadmill: 'running', yoga: 'yoga', other: '' };

const recorded = fc.record({
  rank: fc.nat({ max: SOURCES.length - 1 }),
  type: fc.constantFrom(...Object.keys(FAMILIES)),
  from: fc.nat({ max: 240 }),
  minutes: fc.nat({ max: 90 }),
});
type Recorded = typeof recorded extends fc.Arbitrary<infer One> ? One : never;

function areEqual(a: Recorded, b: Recorded): boolean {
  const families = [FAMILIES[a.type], FAMILIES[b.type]];
  const common = Math.min(a.from + a.minutes, b.from + b.minutes) - Math.max(a.from, b.from);
  return (
    a.rank !== b.rank &&
    (families[0] === families[1] || families.includes('')) &&
    common >= 0.8 * Math.min(a.minutes, b.minutes)
  );
}

/** Follows the copies of each workout, and keeps the best source. */
function slowly(all: readonly Recorded[]): Recorded[] {
  return all.filter((one) => {
    const group = [one];
    for (const member of group) {
      group.push(...all.filter((other) => !group.includes(other) && areEqual(member, other)));
    }
    return one.rank === Math.min(...group.map(({ rank }) => rank));
  });
}

test('omits the same copies as a naive comparison', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(recorded, { maxLength: 30 }),
      fc.shuffledSubarray([11, 12, 13, 14, 15, 16], { minLength: 6 }),
      async (all, ids) => {
        const ordered = [...all].sort((a, b) => a.from - b.from);
        const workouts = ordered.map((one) => ({
          one,
          source_id: ids[one.rank] as number,
          type: one.type,
          start_at: new Date(one.from * MS_PER_MINUTE),
          end_at: new Date((one.from + one.minutes) * MS_PER_MINUTE),
        }));
        const sourceOf = (id: number) => SOURCES[ids.indexOf(id)] as RuleSource;
        const chosen = await new Turns().run(withoutCopies(workouts, { priorities, sourceOf }));
        expect(chosen.map(({ one }) => one)).toEqual(slowly(ordered));
      },
    ),
    { numRuns: 500 },
  );
});

test('finds copies after many earlier workouts', async () => {
  const at = (minute: number) => new Date(minute * MS_PER_MINUTE);
  const workout = (source_id: number, minute: number) => ({
    source_id,
    type: 'yoga',
    start_at: at(minute),
    end_at: at(minute + 9),
  });
  const earlier = Array.from({ length: 100 }, (_, n) => workout(0, 10 * n));
  const [best, copy] = [workout(0, 1_000), workout(1, 1_000)];
  const sourceOf = (id: number) => SOURCES[id] as RuleSource;
  const chosen = await new Turns().run(withoutCopies([...earlier, copy, best], { priorities, sourceOf }));
  expect(chosen).toEqual([...earlier, best]);
});
