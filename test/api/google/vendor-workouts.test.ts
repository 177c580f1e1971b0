import { afterEach, beforeEach, expect, it } from 'vitest';
import { type GoogleFixture, openGoogleFixture } from './google-fixture.js';

let fixture: GoogleFixture;
beforeEach(async () => {
  fixture = await openGoogleFixture({ now: '2026-11-10T12:00:00Z' });
  await fixture.control.addAccount({ id: 'anna', timeZone: 'Europe/Berlin' });
  await fixture.control.seedHistory('anna', { days: 40, dataTypes: ['exercise'] });
});
afterEach(() => fixture.close());

it("returns workouts in the vendor's format, in pages and by ID", async () => {
  const { userId } = await fixture.connect('anna');
  const get = async (path: string) =>
    (await fixture.call('GET', `/api/v1/providers/google/users/${userId}/workouts${path}`)).body;
  const first = await get('?limit=5');
  expect(first.dataPoints).toHaveLength(5);
  expect(first.dataPoints[0]).toMatchObject({ name: expect.stringContaining('/dataTypes/exercise/dataPoints/') });
  const second = await get(`?limit=5&page_token=${encodeURIComponent(first.nextPageToken)}`);
  const names = [...first.dataPoints, ...second.dataPoints].map(({ name }: { name: string }) => name);
  expect(new Set(names).size).toBe(10);
  expect(await get(`/${names[0]?.split('/').at(-1)}`)).toEqual(first.dataPoints[0]);

  const since = Date.parse('2026-11-08T00:00:00Z') / 1_000;
  const recent = await get(`?since=${since}&limit=100`);
  const starts = recent.dataPoints.map(({ exercise }: { exercise: { interval: { startTime: string } } }) =>
    Date.parse(exercise.interval.startTime),
  );
  expect(starts.length).toBeGreaterThan(0);
  expect(Math.min(...starts)).toBeGreaterThan((since - 86_400) * 1_000);
});

it('filters workouts by start time in any time zone', async () => {
  for (const [id, timeZone] of [
    ['west', 'America/Los_Angeles'],
    ['east', 'Pacific/Kiritimati'],
  ] as const) {
    await fixture.control.addAccount({ id, timeZone });
    await fixture.control.seedHistory(id, { days: 40, dataTypes: ['exercise'] });
    const { userId } = await fixture.connect(id);
    const startsFrom = async (query: string) => {
      const { body } = await fixture.call('GET', `/api/v1/providers/google/users/${userId}/workouts?${query}`);
      return body.dataPoints.map(({ exercise }: { exercise: { interval: { startTime: string } } }) =>
        Date.parse(exercise.interval.startTime),
      );
    };
    const all: number[] = await startsFrom('limit=12');
    const since = Math.floor(all[5]! / 1_000);
    expect(await startsFrom(`limit=12&since=${since}`), id).toEqual(all.filter((start) => start >= since * 1_000));
  }
});
