import { type HealthRecord, SECONDS_PER_HOUR, type SourceIdentity } from '@healthd/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActivityReader, openActivityReader } from '../../../../test/support/activity-reader.js';
import { GARMIN, PHONE, sample, samplesEvery, WATCH } from '../../../../test/support/records.js';

let reader: ActivityReader;
let { database, activity, userWith, dayOf } = {} as ActivityReader;
beforeAll(async () => {
  reader = await openActivityReader();
  ({ database, activity, userWith, dayOf } = reader);
});
afterAll(() => reader.close());

const at = (time: string) => `2026-03-10T${time}Z`;
/** A cloud's merged stream without a device name. */
const cloud: SourceIdentity = { provider: 'google', writer: 'google_health_api' };

describe('reading one day', () => {
  it('prefers the provider’s daily total to samples of the same source', async () => {
    const user = await userWith(
      sample('steps', at('00:00'), 10_000, { kind: 'daily_total' }),
      sample('steps', at('08:00'), 4000),
      sample('steps', at('18:00'), 5500),
    );
    expect(await dayOf(user)).toMatchObject({ steps: 10_000 });
  });

  it('sums samples without a daily total', async () => {
    const user = await userWith(sample('steps', at('08:00'), 4000), sample('steps', at('18:00'), 5500));
    expect(await dayOf(user)).toMatchObject({ steps: 9500 });
  });

  it('prefers a daily total at midnight to a sample at midnight', async () => {
    const user = await userWith(
      sample('steps', at('00:00'), 9000, { kind: 'daily_total' }),
      sample('steps', at('00:00'), 20),
    );
    expect(await dayOf(user)).toMatchObject({ steps: 9000 });
  });

  it('rounds heart rates half away from zero', async () => {
    const user = await userWith(sample('heart_rate', at('08:00'), 100), sample('heart_rate', at('09:00'), 105));
    expect(await dayOf(user)).toMatchObject({ heart_rate: { avg_bpm: 103, min_bpm: 100, max_bpm: 105 } });
  });

  it('shows the extremes that the vendor reports with mean heart rates', async () => {
    const mean = (start: string, value: number, minimum: number, maximum: number, kind?: 'daily_total') => ({
      ...sample('heart_rate', start, value, { source: cloud, minutes: 60, kind }),
      extremes: { minimum, maximum },
    });
    const hourly = await userWith(mean(at('08:00'), 64, 52, 80), mean(at('09:00'), 109, 90, 125));
    expect(await dayOf(hourly)).toMatchObject({ heart_rate: { avg_bpm: 87, min_bpm: 52, max_bpm: 125 } });
    const daily = await userWith(mean(at('00:00'), 71, 52, 125, 'daily_total'));
    expect(await dayOf(daily)).toMatchObject({ heart_rate: { avg_bpm: 71, min_bpm: 52, max_bpm: 125 } });
  });

  it('returns null, not zero, for missing values', async () => {
    const user = await userWith(sample('heart_rate', at('08:00'), 100), sample('energy', at('08:00'), 12.5));
    expect(await dayOf(user)).toMatchObject({
      steps: null,
      distance_meters: null,
      floors_climbed: null,
      active_calories_kcal: 12.5,
      total_calories_kcal: null,
    });
  });

  it('adds resting energy to active energy for the total', async () => {
    const user = await userWith(sample('energy', at('08:00'), 612.3), sample('basal_energy', at('08:00'), 1786.1));
    expect(await dayOf(user)).toMatchObject({ active_calories_kcal: 612.3, total_calories_kcal: 2398.4 });
  });

  it('ignores resting energy of another source', async () => {
    const elsewhere = [
      sample('basal_energy', at('08:00'), 1700, { source: GARMIN }),
      sample('basal_energy', at('08:00'), 1700, { source: PHONE }),
      sample('basal_energy', at('08:00'), 1700, { source: cloud }),
    ];
    const user = await userWith(sample('energy', at('08:00'), 612.3), ...elsewhere);
    expect(await dayOf(user)).toMatchObject({ active_calories_kcal: 612.3, total_calories_kcal: null });
  });

  it('derives floors from the elevation gain of the same source', async () => {
    const climb = (elevationGainMeters: number, source: SourceIdentity, hour: string): HealthRecord => ({
      kind: 'workout',
      source,
      type: 'hiking',
      elevationGainMeters,
      startMs: Date.parse(at(`${hour}:00`)),
      endMs: Date.parse(at(`${hour}:59`)),
    });
    const steps = sample('steps', at('08:00'), 10);
    const own = await userWith(steps, climb(100.25, WATCH, '09'), climb(50.25, WATCH, '11'), climb(900, GARMIN, '09'));
    expect(await dayOf(own)).toMatchObject({ floors_climbed: 50, elevation_meters: 150.5 });
    const elsewhere = await userWith(steps, climb(30, GARMIN, '09'));
    expect(await dayOf(elsewhere)).toMatchObject({
      floors_climbed: null,
      elevation_meters: 30,
      sources: { movement: { provider: 'apple' }, elevation: { provider: 'garmin' } },
    });
    const counted = await userWith(steps, sample('flights_climbed', at('08:00'), 12), climb(150.5, WATCH, '09'));
    expect(await dayOf(counted)).toMatchObject({ floors_climbed: 12, elevation_meters: 150.5 });
  });

  it('shows counted flights as floors', async () => {
    const user = await userWith(sample('steps', at('08:00'), 10), sample('flights_climbed', at('08:00'), 12));
    expect(await dayOf(user)).toMatchObject({ floors_climbed: 12, elevation_meters: null });
  });
});

describe('sources of one day', () => {
  it('selects one source by priority instead of a sum', async () => {
    const user = await userWith(
      sample('steps', at('08:00'), 3900, { source: PHONE }),
      sample('steps', at('08:00'), 9100, { source: WATCH }),
      sample('steps', at('08:00'), 9800, { source: GARMIN }),
    );
    expect(await dayOf(user)).toMatchObject({ steps: 9100, source: { device: 'Watch6,2', device_type: 'watch' } });
  });

  it("keeps other sources' steps when the heart-rate source has no steps", async () => {
    const user = await userWith(
      sample('heart_rate', at('08:00'), 140, { source: WATCH }),
      sample('steps', at('08:00'), 9800, { source: GARMIN }),
    );
    expect(await dayOf(user)).toMatchObject({
      steps: 9800,
      heart_rate: { avg_bpm: 140 },
      source: { provider: 'garmin' },
    });
  });

  it('selects the larger value among sources of equal rank', async () => {
    const worn = { ...WATCH, deviceId: 'worn' };
    const user = await userWith(
      sample('steps', at('08:00'), 5000, { source: WATCH, minutes: 10 }),
      ...samplesEvery('steps', at('08:00'), 60, [1000, 1000, 1000], { source: worn, minutes: 30 }),
    );
    expect(await dayOf(user)).toMatchObject({ steps: 5000 });
  });

  it('takes steps and distance from the same source', async () => {
    const user = await userWith(
      sample('steps', at('08:00'), 1000, { source: WATCH }),
      sample('steps', at('08:00'), 800, { source: PHONE }),
      sample('distance_walking_running', at('08:00'), 700, { source: PHONE }),
    );
    expect(await dayOf(user)).toMatchObject({ steps: 1000, distance_meters: null });
  });

  it('shows the distance of a source without steps', async () => {
    const user = await userWith(sample('distance_walking_running', at('08:00'), 700.25, { source: PHONE }));
    expect(await dayOf(user)).toMatchObject({ steps: null, distance_meters: 700.25, source: { device: 'iPhone15,2' } });
  });
});

describe('minutes of one day', () => {
  const hours = (count: number, value: number) => Array.from({ length: count * 60 }, () => value);

  it.each([
    [95, { light: 1, moderate: 0, vigorous: 0 }],
    [119, { light: 1, moderate: 0, vigorous: 0 }],
    [119.5, { light: 0, moderate: 1, vigorous: 0 }],
    [144, { light: 0, moderate: 1, vigorous: 0 }],
    [144.1, { light: 0, moderate: 0, vigorous: 1 }],
    [176, { light: 0, moderate: 0, vigorous: 1 }],
    [177, { light: 0, moderate: 0, vigorous: 1 }],
    [94.9, { light: 0, moderate: 0, vigorous: 0 }],
  ])('counts a minute at %d bpm as %j without a birth date', async (bpm, zones) => {
    const user = await userWith(sample('heart_rate', at('08:00'), bpm, { minutes: 1 }));
    expect(await dayOf(user)).toMatchObject({ intensity_minutes: zones });
  });

  it('computes zones for the age on that day', async () => {
    const user = await userWith(
      sample('heart_rate', at('08:00'), 115, { minutes: 5 }),
      sample('heart_rate', '2026-03-11T08:00:00Z', 115, { minutes: 5 }),
    );
    await database.pool.query("insert into personal_record (user_key, birth_date) values ($1, '1986-03-11')", [user]);
    // The light zone ends at 114 bpm at age 39 and at 113 bpm at age 40.
    expect(await dayOf(user)).toMatchObject({ intensity_minutes: { light: 0, moderate: 5 } });
    await database.pool.query("update personal_record set birth_date = '1988-03-11' where user_key = $1", [user]);
    // The light zone ends at 115 bpm at age 37 and at 114 bpm at age 38.
    expect(await dayOf(user)).toMatchObject({ intensity_minutes: { light: 5, moderate: 0 } });
    expect(await dayOf(user, '2026-03-11')).toMatchObject({ intensity_minutes: { light: 0, moderate: 5 } });
  });

  it('counts each minute once if an hourly mean overlaps readings', async () => {
    const user = await userWith(
      sample('heart_rate', at('10:00'), 120, { minutes: 60 }),
      sample('heart_rate', at('10:00'), 130, { minutes: 1 }),
      sample('heart_rate', at('10:30'), 130, { minutes: 30 }),
    );
    expect(await dayOf(user)).toMatchObject({ intensity_minutes: { light: 0, moderate: 10, vigorous: 0 } });
  });

  it('counts minutes with thirty steps as active for any sample length', async () => {
    const user = await userWith(
      sample('steps', at('08:00'), 29, { minutes: 1 }),
      sample('steps', at('08:01'), 30, { minutes: 1 }),
      sample('steps', at('08:02'), 0, { minutes: 1 }),
      sample('steps', at('09:00'), 900, { minutes: 15 }),
    );
    expect(await dayOf(user)).toMatchObject({ active_minutes: 16, sedentary_minutes: null, intensity_minutes: null });
  });

  it('counts covered waking minutes without activity as sedentary', async () => {
    const user = await userWith(
      ...samplesEvery('steps', at('08:00'), 1, hours(2, 40), { minutes: 1 }),
      ...samplesEvery('heart_rate', at('09:00'), 1, hours(5, 70), { minutes: 1 }),
    );
    expect(await dayOf(user)).toMatchObject({ active_minutes: 120, sedentary_minutes: 240 });
  });

  it('returns no sedentary minutes below six hours of coverage', async () => {
    const known = (minutes: number) =>
      userWith(...samplesEvery('steps', at('08:00'), 1, hours(6, 1).slice(0, minutes), { minutes: 1 }));
    expect(await dayOf(await known(359))).toMatchObject({ active_minutes: 0, sedentary_minutes: null });
    expect(await dayOf(await known(360))).toMatchObject({ active_minutes: 0, sedentary_minutes: 360 });
  });

  it('excludes minutes asleep in any source from sedentary minutes', async () => {
    const night = (start: string, end: string, stage: 'light' | 'awake') =>
      ({
        kind: 'sleep_stage',
        source: GARMIN,
        stage,
        startMs: Date.parse(start),
        endMs: Date.parse(end),
        offsetMinutes: 60,
      }) as const;
    const user = await userWith(
      // Local time: asleep 23:00 to 02:00 and 02:30 to 06:00, awake between; heart rate from 00:00 until 09:00.
      night('2026-03-09T22:00:00Z', '2026-03-10T01:00:00Z', 'light'),
      night('2026-03-10T01:00:00Z', '2026-03-10T01:30:00Z', 'awake'),
      night('2026-03-10T01:30:00Z', '2026-03-10T05:00:00Z', 'light'),
      ...samplesEvery('heart_rate', '2026-03-09T23:00:00Z', 1, hours(9, 60), { minutes: 1, offsetMinutes: 60 }),
      sample('steps', '2026-03-10T07:00:00Z', 400, { minutes: 10, offsetMinutes: 60 }),
    );
    // Nine hours covered from midnight, five and a half of them asleep, ten minutes active.
    expect(await dayOf(user)).toMatchObject({ active_minutes: 10, sedentary_minutes: 200 });
  });

  it.each([
    [
      'counts as sleep with a known time asleep',
      { asleepSeconds: 5 * SECONDS_PER_HOUR, inBedSeconds: 6 * SECONDS_PER_HOUR },
      169,
    ],
    ['does not count as sleep with only time in bed', { inBedSeconds: 6 * SECONDS_PER_HOUR }, 530],
  ])('a night without stages %s', async (_, known, sedentaryMinutes) => {
    const user = await userWith(
      {
        kind: 'sleep_session',
        source: GARMIN,
        offsetMinutes: 60,
        ...known,
        startMs: Date.parse('2026-03-09T22:00:00Z'),
        endMs: Date.parse('2026-03-10T05:00:30Z'),
      },
      ...samplesEvery('heart_rate', '2026-03-09T23:00:00Z', 1, hours(9, 60), { minutes: 1, offsetMinutes: 60 }),
      sample('steps', '2026-03-10T07:00:00Z', 400, { minutes: 10, offsetMinutes: 60 }),
    );
    // Nine hours covered from midnight, ten minutes active. Sleep includes the minute in which the night ended.
    expect(await dayOf(user)).toMatchObject({ active_minutes: 10, sedentary_minutes: sedentaryMinutes });
  });

  it('excludes nights at both ends of a page from sedentary minutes', async () => {
    const night = (start: string, end: string) =>
      ({
        kind: 'sleep_session',
        source: GARMIN,
        offsetMinutes: 0,
        asleepSeconds: 7 * SECONDS_PER_HOUR,
        startMs: Date.parse(start),
        endMs: Date.parse(end),
      }) as const;
    const user = await userWith(
      night('2026-03-09T23:00:00Z', '2026-03-10T06:00:00Z'),
      night('2026-03-11T22:00:00Z', '2026-03-12T05:00:00Z'),
      ...samplesEvery('heart_rate', '2026-03-10T00:00:00Z', 1, hours(9, 60), { minutes: 1, offsetMinutes: 0 }),
      ...samplesEvery('heart_rate', '2026-03-11T15:00:00Z', 1, hours(9, 60), { minutes: 1, offsetMinutes: 0 }),
      sample('steps', '2026-03-10T07:00:00Z', 400, { minutes: 10, offsetMinutes: 0 }),
      sample('steps', '2026-03-11T17:00:00Z', 400, { minutes: 10, offsetMinutes: 0 }),
    );
    const { data } = await activity(user, '2026-03-10', '2026-03-11T23:59:59Z');
    // Each day has nine covered hours with ten active minutes, and six or two hours asleep.
    expect(data.map(({ sedentary_minutes }) => sedentary_minutes)).toEqual([170, 410]);
  });

  it('prefers the source’s active time to minutes from steps', async () => {
    const user = await userWith(
      ...samplesEvery('steps', at('08:00'), 1, hours(7, 40), { minutes: 1 }),
      sample('active_time', at('00:00'), 87, { kind: 'daily_total' }),
    );
    expect(await dayOf(user)).toMatchObject({ active_minutes: 87, sedentary_minutes: 333 });
  });

  it('returns no minutes for a day that has only a total', async () => {
    const user = await userWith(sample('steps', at('00:00'), 8000, { kind: 'daily_total' }));
    expect(await dayOf(user)).toMatchObject({ active_minutes: null, sedentary_minutes: null });
  });
});
