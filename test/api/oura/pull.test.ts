import { localDate, MS_PER_DAY } from '@healthd/model';
import { startOuraSimulator } from '@healthd/simulators';
import { expect, it } from 'vitest';
import { openVendorFixture } from '../../support/vendor-fixture.js';

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const WIDE = `start_date=${dayOf(Date.now() - 60 * MS_PER_DAY)}&end_date=${dayOf(Date.now() + 2 * MS_PER_DAY)}`;

it("stores 20 simulated days on Oura's dates", async () => {
  const simulator = await startOuraSimulator({ autoConsent: true });
  const fixture = await openVendorFixture('oura', simulator, { historicalSyncOnConnect: true });
  try {
    await fixture.control.addAccount({ id: 'ada', timeZone: 'America/Los_Angeles' });
    await fixture.control.seedHistory('ada', { seed: 4, days: 20 });
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    const truth = await fixture.control.truth('ada');
    const get = async (path: string) => (await fixture.call('GET', `/api/v1/users/${ada.userId}${path}`)).body.data;

    const sessions = await get(`/events/sleep?${WIDE}&limit=100`);
    expect(sessions).toHaveLength(truth.sleeps.length);
    expect(sessions.filter((one: { is_nap: boolean }) => one.is_nap)).toHaveLength(
      truth.sleeps.filter(({ nap }) => nap).length,
    );
    expect(await get(`/events/workouts?${WIDE}&limit=100`)).toHaveLength(truth.workouts.length);

    const days = new Map(truth.days.map((day) => [day.date, day]));
    const rows: { date: string; steps: number | null }[] = await get(`/summaries/activity?${WIDE}&limit=100`);
    // Skips the date on which the first night starts. It has no activity.
    const activity = rows.filter(({ steps }) => steps !== null);
    expect(activity).toHaveLength(truth.days.length);
    for (const row of activity) {
      const day = days.get(row.date);
      expect(row, row.date).toMatchObject({
        steps: day?.steps,
        active_calories_kcal: day?.activeKcal,
        distance_meters: day?.meters,
      });
    }

    const recoveries = await get(`/summaries/recovery?${WIDE}&limit=100`);
    const saturations = new Map(truth.saturations.map(({ date, percent }) => [date, percent]));
    const nights = new Map(
      truth.sleeps.filter(({ nap }) => !nap).map((night) => [localDate(night.endMs, -480), night] as const),
    );
    for (const row of recoveries) {
      const night = nights.get(row.date);
      expect(row.resting_heart_rate_bpm, row.date).toBe(night?.lowestHeartRate ?? null);
      const expected = saturations.get(row.date);
      expect(row.avg_spo2_percent, row.date).toBe(expected === undefined ? null : Math.round(expected * 10) / 10);
      expect(row.avg_hrv_sdnn_ms).toBeNull();
    }
    expect(recoveries.length).toBeGreaterThanOrEqual(nights.size);

    for (const category of ['sleep', 'readiness', 'activity', 'stress', 'resilience']) {
      const scores = await get(`/health-scores?${WIDE}&category=${category}&limit=1000`);
      const known = truth.scores.filter((one) => one.category === category);
      expect(
        scores.map((one: { value: number | null; qualifier: string | null }) => one.value ?? one.qualifier),
      ).toEqual(known.map(({ value, qualifier }) => value ?? qualifier ?? null).toReversed());
    }
  } finally {
    await fixture.close();
  }
});
