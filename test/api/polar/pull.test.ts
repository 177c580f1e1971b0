import { localDate, MS_PER_DAY } from '@healthd/model';
import { type PolarSimulator, startPolarSimulator } from '@healthd/simulators';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ConnectedUser, openVendorFixture, type VendorFixture } from '../../support/vendor-fixture.js';

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const WIDE = `start_date=${dayOf(Date.now() - 60 * MS_PER_DAY)}&end_date=${dayOf(Date.now() + 2 * MS_PER_DAY)}`;

it("stores 20 simulated days on Polar's dates", async () => {
  const simulator = await startPolarSimulator({ autoConsent: true });
  const fixture = await openVendorFixture('polar', simulator, { historicalSyncOnConnect: true });
  try {
    // A zone without summer time.
    const OFFSET = -420;
    await fixture.control.addAccount({ id: 'ada', timeZone: 'America/Phoenix' });
    await fixture.control.seedHistory('ada', { seed: 4, days: 20 });
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    const truth = await fixture.control.truth('ada');
    const get = async (path: string) => (await fixture.call('GET', `/api/v1/users/${ada.userId}${path}`)).body.data;

    const sleeps: { date: string; duration_minutes: number }[] = await get(`/summaries/sleep?${WIDE}&limit=100`);
    expect(sleeps.map(({ date, duration_minutes }) => [date, duration_minutes])).toEqual(
      truth.nights.map(({ date, seconds: { asleep } }) => [
        date,
        asleep === undefined ? null : Math.trunc(asleep / 60),
      ]),
    );
    expect(await get(`/events/workouts?${WIDE}&limit=100`)).toHaveLength(truth.exercises.length);

    const days = new Map(truth.days.map((day) => [day.date, day]));
    const rows: { date: string; steps: number | null }[] = await get(`/summaries/activity?${WIDE}&limit=100`);
    // Skips the date on which the first night starts. It has no activity.
    const activity = rows.filter(({ steps }) => steps !== null);
    expect(activity).toHaveLength(truth.days.length);
    for (const row of activity) {
      const day = days.get(row.date);
      // The daily total and the minutes count the same steps, so the summary counts them once.
      expect(row, row.date).toMatchObject({
        steps: day?.steps,
        active_calories_kcal: day?.activeKcal,
        distance_meters: day?.meters,
      });
    }

    const recoveries: { date: string }[] = await get(`/summaries/recovery?${WIDE}&limit=100`);
    const byDate = new Map(recoveries.map((row) => [row.date, row]));
    expect(truth.recharges).toHaveLength(truth.nights.length);
    for (const { date, variability } of truth.recharges) {
      // The vendor's scale of 1 to 6 is not a recovery score, RMSSD is not SDNN, and a mean is not a resting heart
      // rate.
      expect(byDate.get(date), date).toMatchObject({
        resting_heart_rate_bpm: null,
        avg_hrv_rmssd_ms: variability,
        avg_hrv_sdnn_ms: null,
        recovery_score: null,
      });
    }

    for (const category of ['recovery', 'strain'] as const) {
      const scores: { value: number; recorded_at: string }[] = await get(
        `/health-scores?${WIDE}&category=${category}&limit=1000`,
      );
      const found = scores.map(({ value, recorded_at: at }) => [localDate(Date.parse(at), OFFSET), value]);
      const known = truth.scores.filter((one) => one.category === category);
      expect(found.toReversed(), category).toEqual(known.map(({ date, value }) => [date, value]));
    }
  } finally {
    await fixture.close();
  }
});

it('keeps exercises that Polar omits after a new registration', async () => {
  const simulator = await startPolarSimulator({ autoConsent: true, onlyAfterRegistration: true });
  const fixture = await openVendorFixture('polar', simulator);
  try {
    await fixture.control.addAccount({ id: 'ada', timeZone: 'UTC' });
    const ada = await fixture.connect('ada');
    const at = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString().slice(0, 19);
    const exercise = { id: 'q7', start_time: at(5), start_time_utc_offset: 0, duration: 'PT30M', sport: 'RUNNING' };
    const upload_time = new Date(Date.now() + 1_000).toISOString();
    await fixture.control.put('ada', { exercises: [{ ...exercise, upload_time }] });
    await fixture.wait(60);
    expect(await fixture.pull(ada)).toMatchObject({ status: 'success' });
    const stored = async () =>
      (await fixture.pool.query('select external_id from workout where user_key = $1', [ada.userKey])).rows;
    expect(await stored()).toEqual([{ external_id: 'q7' }]);
    await fixture.call('DELETE', `/api/v1/users/${ada.userId}/connections/polar`);
    await fixture.connect('ada', ada.userId);
    expect(await fixture.pull(ada)).toMatchObject({ status: 'success' });
    expect(await stored()).toEqual([{ external_id: 'q7' }]);
  } finally {
    await fixture.close();
  }
});

it('deletes the values of a test that became inconclusive', async () => {
  const fixture = await openVendorFixture('polar', await startPolarSimulator({ autoConsent: true }));
  try {
    await fixture.control.addAccount({ id: 'ada', timeZone: 'UTC' });
    const test = (minutesAgo: number) => ({
      test_time: Math.floor(Date.now() / 1_000) - 60 * minutesAgo,
      time_zone_offset: 0,
      test_status: 'SPO2_TEST_PASSED',
      blood_oxygen_percent: 97,
      heart_rate_variability_ms: 48.5,
    });
    const [earlier, later] = [test(60), test(30)];
    await fixture.control.put('ada', { spo2: [earlier, later] });
    const ada = await fixture.connect('ada');
    await fixture.pull(ada);
    const times = async (code: 'oxygen_saturation' | 'heart_rate_variability_rmssd') =>
      (await fixture.samples(ada.userKey, code)).map(({ atMs }) => atMs / 1_000);
    expect(await times('oxygen_saturation')).toEqual([earlier.test_time, later.test_time]);
    const inconclusive = { ...earlier, test_status: 'SPO2_TEST_INCONCLUSIVE_TOO_MUCH_MOVEMENT' };
    const { heart_rate_variability_ms: _, ...withoutVariability } = later;
    await fixture.control.put('ada', { spo2: [inconclusive, withoutVariability] });
    await fixture.pull(ada);
    expect(await times('oxygen_saturation')).toEqual([later.test_time]);
    expect(await times('heart_rate_variability_rmssd')).toEqual([]);
  } finally {
    await fixture.close();
  }
});

it('uses the configured time zone for heart rates without an offset', async () => {
  const fixture = await openVendorFixture('polar', await startPolarSimulator({ autoConsent: true }));
  try {
    await fixture.control.addAccount({ id: 'ada', timeZone: 'UTC' });
    const created = await fixture.call('POST', '/api/v1/users', { time_zone: 'Asia/Kolkata' });
    const date = dayOf(Date.now() - MS_PER_DAY);
    await fixture.control.put('ada', {
      heartRates: [{ date, heart_rate_samples: [{ heart_rate: 61, sample_time: '12:00:00' }] }],
    });
    const ada = await fixture.connect('ada', created.body.id);
    await fixture.reading.settle();
    await fixture.pull(ada);
    expect(await fixture.samples(ada.userKey, 'heart_rate')).toEqual([
      { atMs: Date.parse(`${date}T06:30:00Z`), value: 61 },
    ]);
  } finally {
    await fixture.close();
  }
});

describe('old heart rates of a user without a known offset', () => {
  const date = dayOf(Date.now() - 40 * MS_PER_DAY);
  let fixture: VendorFixture<PolarSimulator>;
  let ada: ConnectedUser;
  beforeEach(async () => {
    fixture = await openVendorFixture('polar', await startPolarSimulator({ autoConsent: true }));
    await fixture.control.addAccount({ id: 'ada', timeZone: 'UTC' });
    await fixture.control.put('ada', {
      heartRates: [{ date, heart_rate_samples: [{ heart_rate: 61, sample_time: '12:00:00' }] }],
    });
    ada = await fixture.connect('ada');
    await historical();
  });
  afterEach(() => fixture.close());

  async function historical() {
    await fixture.call('POST', `/api/v1/providers/polar/users/${ada.userId}/sync/historical?days=60`);
    await fixture.reading.settle();
  }
  const diagnosed = async () => (await fixture.call('GET', `/api/v1/users/${ada.userId}/diagnosis`)).body.providers[0];

  it('are not stored but diagnosed with a remedy', async () => {
    expect(await fixture.samples(ada.userKey, 'heart_rate')).toEqual([]);
    const diagnosis = await diagnosed();
    expect(diagnosis).toMatchObject({
      cause: 'zone_unknown',
      remedy: 'set_time_zone',
      details: ['continuous-heart-rate'],
    });
  });

  it('arrive with a historical sync once a time zone is set', async () => {
    const developer = (await fixture.service.logIn()).call;
    const set = await developer('PATCH', `/api/v1/users/${ada.userId}`, { time_zone: 'Asia/Kolkata' });
    expect(set.status).toBe(200);
    await historical();
    const atMs = Date.parse(`${date}T06:30:00Z`);
    expect(await fixture.samples(ada.userKey, 'heart_rate')).toEqual([{ atMs, value: 61 }]);
    expect(await diagnosed()).not.toMatchObject({ cause: 'zone_unknown' });
  });

  it('arrive with a historical sync once a night contains the offset', async () => {
    const night = dayOf(Date.now() - 2 * MS_PER_DAY);
    await fixture.control.put('ada', {
      sleep: [{ date: night, sleep_start_time: `${night}T00:10:00-03:30`, sleep_end_time: `${night}T07:00:00-03:30` }],
    });
    await historical();
    const atMs = Date.parse(`${date}T15:30:00Z`);
    expect(await fixture.samples(ada.userKey, 'heart_rate')).toEqual([{ atMs, value: 61 }]);
    expect(await diagnosed()).not.toMatchObject({ cause: 'zone_unknown' });
  });
});
