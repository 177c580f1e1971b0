import { type HealthRecord, MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordedUser } from '../support/recorded-user.js';
import { GARMIN, run, sample, WATCH } from '../support/records.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const FIRST = Date.parse('2026-03-01T00:00:00Z');
const SOURCES = [WATCH, GARMIN];
const at = (day: number, hour: number) => FIRST + day * MS_PER_DAY + hour * MS_PER_HOUR;

/** Returns one source's data of one day: a night, a nap, values that summaries select from, a run, a cycle. */
function recordsOf(day: number, source: (typeof SOURCES)[number]): HealthRecord[] {
  const iso = (hour: number) => new Date(at(day, hour)).toISOString();
  const span = (from: number, to: number) => ({ source, offsetMinutes: 0, startMs: at(day, from), endMs: at(day, to) });
  return [
    { kind: 'sleep_session', isNap: false, asleepSeconds: 20_000, ...span(0, 6) },
    { kind: 'sleep_session', isNap: true, asleepSeconds: 1_800, ...span(13, 14) },
    sample('resting_heart_rate', iso(5), 50, { source }),
    sample('steps', iso(8), 100, { source, minutes: 1 }),
    sample('heart_rate', iso(9), 70, { source }),
    run(span(17, 18)),
    { kind: 'menstrual_cycle', details: {}, ...span(0, 20) },
  ];
}

const RANGE = 'start_date=2026-03-01&end_date=2026-03-20';
const SERIES = 'timeseries?start_time=2026-03-01&end_time=2026-03-20&types=heart_rate&types=steps';
const LISTS = [
  ...['raw', '1min', '5min', '15min', '1hour'].flatMap((resolution) => [
    `${SERIES}&resolution=${resolution}`,
    `${SERIES}&resolution=${resolution}&filter_by_priority=true`,
  ]),
  `summaries/activity?${RANGE}`,
  `summaries/activity?${RANGE}&sort_order=desc`,
  `summaries/sleep?${RANGE}`,
  `summaries/recovery?${RANGE}`,
  `events/sleep?${RANGE}`,
  `events/sleep?${RANGE}&filter_by_priority=true`,
  `events/workouts?${RANGE}`,
  `events/workouts?${RANGE}&filter_by_priority=true`,
  `events/menstrual-cycles?${RANGE}`,
];

const history = fc.record({
  days: fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom(0, 1)), {
    minLength: 3,
    maxLength: 8,
    selector: ([day, source]) => `${day} ${source}`,
  }),
  limit: fc.integer({ min: 1, max: 3 }),
  /** True if an interval starts before the range and ends in it. */
  reachesInto: fc.boolean(),
});

test.each(LISTS)('sets has_more only while rows remain in the requested direction: %s', async (list) => {
  await fc.assert(
    fc.asyncProperty(history, async ({ days, limit, reachesInto }) => {
      const records = days.flatMap(([day, source]) => recordsOf(day, SOURCES[source] ?? WATCH));
      if (reachesInto) records.push(sample('steps', new Date(FIRST - 120_000).toISOString(), 40, { minutes: 4 }));
      const { id } = await recordedUser(service, ...records);
      const read = async (rest: string) => {
        const { status, body } = await service.call('GET', `/api/v1/users/${id}/${list}&${rest}`);
        expect(status).toBe(200);
        return body;
      };
      const all = await read('limit=100');
      expect(all.data.length).toBeGreaterThan(0);
      expect(all.pagination).toMatchObject({ has_more: false, next_cursor: null, previous_cursor: null });

      let page = await read(`limit=${limit}`);
      let first = 0;
      for (;;) {
        const end = first + page.data.length;
        expect(page.data).toEqual(all.data.slice(first, first + limit));
        expect(page.pagination.has_more).toBe(end < all.data.length);
        expect(page.pagination.next_cursor !== null).toBe(end < all.data.length);
        expect(page.pagination.previous_cursor !== null).toBe(first > 0);
        if (!page.pagination.has_more) break;
        page = await read(`limit=${limit}&cursor=${page.pagination.next_cursor}`);
        first = end;
      }
      while (first > 0) {
        page = await read(`limit=${limit}&cursor=${page.pagination.previous_cursor}`);
        const end = first;
        first = Math.max(0, end - limit);
        expect(page.data).toEqual(all.data.slice(first, end));
        expect(page.pagination.has_more).toBe(first > 0);
        expect(page.pagination.previous_cursor !== null).toBe(first > 0);
        expect(page.pagination.next_cursor).not.toBeNull();
      }
    }),
    { numRuns: 5 },
  );
});
