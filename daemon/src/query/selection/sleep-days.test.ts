import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, SECONDS_PER_HOUR } from '@healthd/model';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Turns } from '../../platform/turns.js';
import { Priorities } from '../../priorities/ranking.js';
import { type RuleSource, selectSource } from './select-source.js';
import { type ArchivedAs, sleepDays } from './sleep-days.js';

const START = Date.UTC(2026, 2, 10);
const DATES = ['2026-03-10', '2026-03-11'];
const priorities = new Priorities(
  new Map([['oura', 1]]),
  new Map(['watch', 'ring', 'phone'].map((type, at) => [type, at])),
);
const SOURCES = ['oura ring', 'apple watch', 'apple phone', 'garmin phone'].map((identity): RuleSource => {
  const [provider, deviceType] = identity.split(' ') as [string, string];
  return { provider, account: null, deviceType, hasDevice: true, isCloud: false, identity };
});

interface Slept {
  source_id: number;
  start_at: Date;
  end_at: Date;
  wake_date: string;
  local_offset_minutes: number;
  is_nap: boolean;
  archived_as: ArchivedAs | null;
  asleep: number | null;
}
type Kept = Readonly<Record<string, { sleep?: string | undefined; naps?: string | undefined }>>;

const slept = fc
  .record({
    source_id: fc.nat({ max: SOURCES.length - 1 }),
    from: fc.nat({ max: 72 }),
    // Lengths in half hours. Short sessions are often naps and copies of each other.
    length: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 5, max: 24 })),
    local_offset_minutes: fc.constantFrom(0, -480, 840),
    is_nap: fc.boolean(),
    archived_as: fc.option(fc.record({ date: fc.constantFrom(...DATES), isNap: fc.boolean() }), { freq: 3 }),
    asleep: fc.constantFrom(null, 0, 0.5, 0.75, 1),
  })
  .map(({ from, length, asleep, ...rest }): Slept => {
    const startMs = START + from * 30 * MS_PER_MINUTE;
    const endMs = startMs + length * 30 * MS_PER_MINUTE;
    return {
      ...rest,
      start_at: new Date(startMs),
      end_at: new Date(endMs),
      wake_date: new Date(endMs + rest.local_offset_minutes * MS_PER_MINUTE).toISOString().slice(0, 10),
      asleep: asleep === null ? null : (asleep * (endMs - startMs)) / 1_000,
    };
  });
const identity = fc.option(fc.constantFrom(...SOURCES.map((one) => one.identity)), { nil: undefined });
const archivedSource = fc.record(
  Object.fromEntries(DATES.map((date) => [date, fc.record({ sleep: identity, naps: identity })])),
);

const sourceOf = (id: number) => SOURCES[id] as RuleSource;
const secondsAsleep = (sessions: readonly Slept[]) => {
  const known = sessions.flatMap(({ asleep }) => asleep || []);
  return known.length === 0 ? null : known.reduce((sum, seconds) => sum + seconds, 0);
};
const overlap = (a: Slept, b: Slept) => Math.min(+a.end_at, +b.end_at) - Math.max(+a.start_at, +b.start_at);
const lengthOf = (one: Slept) => +one.end_at - +one.start_at;

function winnerOf(sessions: readonly Slept[], rule: { enough: 'sleep' | 'any'; lead?: object }, keeps?: string) {
  const candidates = [...new Set(sessions.map(({ source_id }) => source_id))].map((id) => {
    const own = sessions.filter(({ source_id }) => source_id === id);
    return { source: sourceOf(id), lead: secondsAsleep(own), own };
  });
  return selectSource(candidates, { priorities, isSum: true, ...rule } as never, keeps);
}

/** Implements the documented rule literally, without regard to performance. */
function slowly(all: readonly Slept[], keeps: Kept): string[] {
  const ordered = [...all].sort((a, b) => +a.start_at - +b.start_at || +a.end_at - +b.end_at);
  const isWorn = ({ source_id }: Slept) => sourceOf(source_id).deviceType !== 'phone';
  const archived = ({ archived_as: as }: Slept) => {
    const ofDate = as ? keeps[as.date] : undefined;
    return ofDate?.sleep !== undefined || ofDate?.naps !== undefined ? as : null;
  };
  const areCopies = (a: Slept, b: Slept) =>
    a.source_id !== b.source_id && overlap(a, b) * 2 > Math.min(lengthOf(a), lengthOf(b));
  const nearestWorn = (one: Slept) =>
    ordered
      .filter((other) => isWorn(other) && areCopies(one, other))
      .reduce<Slept | undefined>((best, o) => (best && overlap(one, best) >= overlap(one, o) ? best : o), undefined);
  const areJoined = (a: Slept, b: Slept) => {
    if (!areCopies(a, b)) return false;
    if (isWorn(a) && isWorn(b)) return true;
    if (isWorn(a)) return nearestWorn(b) === a;
    if (isWorn(b)) return nearestWorn(a) === b;
    return nearestWorn(a) === undefined && nearestWorn(b) === undefined;
  };
  const groupOf = (one: Slept, all = ordered) => {
    const group = [one];
    for (const member of group) group.push(...all.filter((o) => !group.includes(o) && areJoined(member, o)));
    return ordered.filter((o) => group.includes(o));
  };
  const isNight = (one: Slept) => !one.is_nap && (one.asleep ?? 0) >= 3 * SECONDS_PER_HOUR;
  const isNap = (one: Slept) => {
    const as = archived(one);
    if (as) return as.isNap;
    if (groupOf(one).some((copy) => copy.source_id !== one.source_id && isNight(copy))) return false;
    const nights = ordered.filter((o) => o.wake_date === one.wake_date && isNight(o));
    const hasLong = ordered.some(
      (o) => o.source_id === one.source_id && o.wake_date === one.wake_date && (o.asleep ?? 0) >= 3 * SECONDS_PER_HOUR,
    );
    // If another source recorded the night, only the time of day classifies sessions of a source without a session of
    // three hours.
    if (nights.length === 0 || hasLong) return one.is_nap;
    if (!one.asleep || one.asleep >= 3 * SECONDS_PER_HOUR) return false;
    const middle = (+one.start_at + +one.end_at) / 2 + one.local_offset_minutes * MS_PER_MINUTE;
    const timeOfDay = middle % MS_PER_DAY;
    return timeOfDay >= 9 * MS_PER_HOUR && timeOfDay <= 20 * MS_PER_HOUR;
  };
  /** Date of an archived session, or of the archived sleep that the session is a copy of. */
  const archivedDateOf = (one: Slept) => {
    const own = archived(one);
    if (own) return own.date;
    const isFull = (date = '') => keeps[date]?.sleep === sourceOf(one.source_id).identity;
    const copies = ordered.filter((o) => archived(o) && areJoined(one, o) && !isFull(archived(o)?.date));
    const main = copies.filter((copy) => !isNap(copy));
    return (main.length > 0 ? main : copies)
      .map((copy) => archived(copy)?.date as string)
      .sort()
      .at(-1);
  };
  const open = ordered.filter((one) => archivedDateOf(one) === undefined);
  const dateOf = (one: Slept) => {
    const archivedDate = archivedDateOf(one);
    if (archivedDate !== undefined) return archivedDate;
    const group = groupOf(one, open);
    if (new Set(group.map(({ wake_date }) => wake_date)).size === 1) return one.wake_date;
    const main = group.filter((copy) => !isNap(copy));
    const { winner } = winnerOf(main.length > 0 ? main : group, { enough: 'sleep' });
    return winner?.own
      .map(({ wake_date }) => wake_date)
      .sort()
      .at(-1) as string;
  };
  return [...new Set(ordered.map(dateOf))].sort().map((date) => {
    const own = ordered.filter((one) => dateOf(one) === date);
    const [main, naps] = [own.filter((one) => !isNap(one)), own.filter(isNap)];
    const lead = winnerOf(main, { enough: 'sleep' }, keeps[date]?.sleep);
    const napping = winnerOf(naps, { enough: 'any', lead }, keeps[date]?.naps);
    const shown = (one: typeof lead) => one.winner?.own.map((session) => ordered.indexOf(session));
    return JSON.stringify({ date, main: main.length, sleep: shown(lead), naps: shown(napping), all: naps.length });
  });
}

it('assigns sessions to dates like a naive implementation', async () => {
  const property = fc.asyncProperty(
    fc.array(slept, { minLength: 1, maxLength: 7 }),
    archivedSource,
    async (sessions, keeps) => {
      const ordered = [...sessions].sort((a, b) => +a.start_at - +b.start_at || +a.end_at - +b.end_at);
      const keptSource = (date: string, group: 'sleep' | 'naps') => (keeps as Kept)[date]?.[group];
      const days = await new Turns().run(sleepDays(sessions, { priorities, sourceOf, keptSource, secondsAsleep }));
      const found = days.map(({ date, sleep, naps }) => {
        const count = ({ placed }: typeof sleep) => placed.reduce((sum, one) => sum + one.candidate.sessions.length, 0);
        const shown = ({ winner }: typeof sleep) => winner?.sessions.map((session) => ordered.indexOf(session));
        return JSON.stringify({ date, main: count(sleep), sleep: shown(sleep), naps: shown(naps), all: count(naps) });
      });
      expect(found).toEqual(slowly(sessions, keeps as Kept));
    },
  );
  await fc.assert(property, { numRuns: 2_000 });
});
