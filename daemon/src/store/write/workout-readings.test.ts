import {
  dayNumber,
  type HealthRecord,
  type ProviderId,
  readingsIdOf,
  type SampleRecord,
  type SeriesCode,
  type SourceIdentity,
  seriesTypeByCode,
  type WorkoutRecord,
} from '@healthd/model';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { PHONE, run, sample, WATCH } from '../../../../test/support/records.js';
import { archiveUser } from '../archive/archive-user.js';

let fixture: RecordFixture;
let user: number;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
beforeEach(async () => {
  user = await fixture.newUser();
});
afterAll(() => fixture.close());

const write = (...records: HealthRecord[]) => fixture.write(user, ...records);
/** Returns an instant on 10 March 2026, the day of {@link run}. */
const at = (time: string) => `2026-03-10T${time}Z`;

function reading(code: SeriesCode, time: string, value: number, source: SourceIdentity, externalId?: string) {
  return { ...sample(code, at(time), value, { source, offsetMinutes: 60 }), externalId };
}

/** Returns readings during a workout, with the ids that the provider assigns. */
function measured(workout: WorkoutRecord, id = readingsIdOf(workout.source.provider, workout)): SampleRecord[] {
  return [
    reading('heart_rate', '17:10', 150, workout.source, id),
    reading('speed', '17:10', 3, workout.source, id),
    reading('latitude', '17:10', 48.1, workout.source, id),
    reading('longitude', '17:10', 11.5, workout.source, id),
    reading('heart_rate', '18:01', 149, workout.source, id),
  ];
}

/** Returns the stored samples: series, time and value. */
async function stored(): Promise<string[]> {
  const { rows } = await fixture.pool.query<{ type_id: number; at: string; value: number }>(
    `select type_id, to_char(start_at at time zone 'UTC', 'HH24:MI') as at, value from sample
      where user_key = $1 order by start_at, type_id`,
    [user],
  );
  return rows.map(({ type_id, at: time, value }) => `${type_id} ${time} ${value}`);
}
const dayValues = async () =>
  (
    await fixture.pool.query<{ shown: string }>(
      `select type_id || ' ' || local_date || ' ' || coalesce(sample_sum, 0) as shown from day_value where user_key = $1 order by 1`,
      [user],
    )
  ).rows.map(({ shown }) => shown);

async function deleteWorkout(startMs?: number): Promise<string> {
  const { rows } = await fixture.pool.query<{ id: string }>(
    `select id from workout where user_key = $1 and ($2::float8 is null or start_at = to_timestamp($2::float8 / 1000))`,
    [user, startMs ?? null],
  );
  expect(rows).toHaveLength(1);
  const id = rows[0]?.id ?? '';
  expect(await fixture.writer.deleteSession(user, 'workout', id)).toBe(true);
  return id;
}

const vendor = (provider: ProviderId, deviceModel?: string): SourceIdentity => ({
  provider,
  writer: `${provider}_api`,
  deviceModel,
});
const WHOLE_DAY = { startMs: Date.parse('2026-03-10T00:00Z'), endMs: Date.parse('2026-03-11T00:00Z') };

describe('a deleted workout', () => {
  it.each<[string, (source: SourceIdentity) => Promise<unknown>]>([
    ['locally', () => deleteWorkout()],
    ['by a notification', ({ provider }) => write({ kind: 'deletion', provider, of: 'session', externalId: 'w1' })],
    [
      'because its vendor no longer lists it',
      ({ provider, writer = '' }) => write({ kind: 'replacement', provider, writer, ...WHOLE_DAY, of: 'workouts' }),
    ],
  ])('deletes exactly its own readings when deleted %s', async (_, remove) => {
    const source = vendor('suunto', 'Race S');
    const all = [
      reading('heart_rate', '17:09', 70, vendor('suunto'), 'all-day'),
      reading('heart_rate', '17:11', 71, source),
      reading('steps', '17:10', 100, source, 'workout/w1'),
    ];
    await write(...all);
    const [samples, days] = [await stored(), await dayValues()];
    const workout = run({ source, externalId: 'w1', idScope: 'writer' });
    await write(workout, ...measured(workout));
    expect(await stored()).toHaveLength(samples.length + 5);
    await remove(source);
    expect(await stored()).toEqual(samples);
    expect(await dayValues()).toEqual(days);
  });

  it('stays deleted with its readings until it is restored', async () => {
    const workout = run({ source: vendor('polar'), externalId: 'w1', idScope: 'writer' });
    const all = measured(workout);
    await write(workout, ...all);
    const id = await deleteWorkout();
    expect((await write(workout, ...all)).items).toMatchObject({ read: 6, suppressed: 6, inserted: 0 });
    expect((await write(...all)).items).toMatchObject({ read: 5, suppressed: 5 });
    expect([await stored(), await dayValues()]).toEqual([[], []]);
    const others = [
      reading('latitude', '17:10', 1, vendor('polar'), 'exercise/w2'),
      reading('speed', '17:10', 1, WATCH),
    ];
    expect((await write(...others)).items).toMatchObject({ suppressed: 0, inserted: 2 });
    expect(await fixture.writer.restoreSession(user, 'workout', id)).toBe(true);
    expect((await write(workout, ...all)).items).toMatchObject({ suppressed: 0, inserted: 6 });
  });

  it('keeps its readings deleted when redelivered under another id', async () => {
    await write(run({ externalId: 'w1' }), ...measured(run({ externalId: 'w1' })));
    await deleteWorkout();
    const again = run({ externalId: 'w2' });
    expect((await write(again, ...measured(again))).items).toMatchObject({ suppressed: 6 });
    expect(await stored()).toEqual([]);
  });

  it.each<[string, WorkoutRecord]>([
    ['an Apple Watch, without an id', run()],
    ['an Apple Watch, with an id', run({ externalId: 'w1' })],
    ['Garmin, whose readings name no device', run({ source: vendor('garmin', 'Fenix'), externalId: '7' })],
    ['Health Connect', run({ source: { provider: 'google', writer: 'com.example' }, externalId: 'w1' })],
    ['Strava', run({ source: vendor('strava', 'Edge'), externalId: '7' })],
  ])('from %s deletes its readings', async (_, workout) => {
    const { provider } = workout.source;
    const placed = provider === 'garmin' ? { ...workout, source: vendor('garmin') } : workout;
    await write(workout, ...measured(placed));
    await deleteWorkout();
    expect(await stored()).toEqual([]);
  });

  it.each<[string, WorkoutRecord, string | undefined]>([
    ['Garmin', run({ source: vendor('garmin', 'Fenix'), externalId: '7' }), 'activityDetails'],
    ['Strava', run({ source: vendor('strava'), externalId: '7' }), undefined],
  ])('from %s deletes unlinked readings within its time', async (_, workout, id) => {
    const { source } = workout;
    const before = run({ source, externalId: '6', startMs: Date.parse(at('16:00')), endMs: Date.parse(at('16:59')) });
    const during = run({ source, externalId: '8', startMs: Date.parse(at('17:30')), endMs: Date.parse(at('17:40')) });
    await write(before, workout, during);
    const times = ['16:30', '17:10', '17:35', '17:50'];
    await write(...times.map((time) => reading('heart_rate', time, 150, vendor(source.provider), id)));
    await write(reading('heart_rate', '17:10', 70, source, 'dailies'));
    await deleteWorkout(workout.startMs);
    expect(await stored()).toEqual(['1 16:30 150', '1 17:10 70', '1 17:35 150']);
  });

  const garmin = vendor('garmin');
  const activity = run({ source: vendor('garmin', 'Fenix'), externalId: '7' });
  const during = reading('heart_rate', '17:10', 150, garmin, 'activityDetails/7');
  const allDay = reading('heart_rate', '17:10', 150, garmin, 'dailies');
  const pushed = run({ externalId: 'w1' });
  const rate = (id?: string) => reading('heart_rate', '17:10', 150, WATCH, id);
  it.each<[string, HealthRecord[][]]>([
    ['that arrived before the reading', [[activity, allDay], [during]]],
    ['that arrived after the reading', [[activity, during], [allDay]]],
    ['that arrived between two deliveries of the reading', [[activity, during], [allDay], [during]]],
    ['that arrived with the reading', [[activity, during, allDay]]],
    [
      'that arrived with a repeated reading',
      [
        [activity, during],
        [activity, during, allDay],
      ],
    ],
    ['of a phone that arrived with the reading', [[pushed, rate('w1'), rate('h1')]]],
    ['of a file that arrived after the reading', [[pushed, rate('w1')], [rate()]]],
    ['of a file that arrived before the reading', [[rate()], [pushed, rate('w1')]]],
  ])('keeps an all-day sample that equals a reading, %s', async (_, batches) => {
    for (const records of batches) await write(...records);
    expect(await stored()).toEqual(['1 17:10 150']);
    const days = await dayValues();
    await deleteWorkout();
    expect([await stored(), await dayValues()]).toEqual([['1 17:10 150'], days]);
  });

  it('deletes all positions within its time, whatever their ids', async () => {
    const places = (time: string, id?: string) => reading('latitude', time, 48, WATCH, id);
    await write(run(), places('17:00', 'item'), places('17:20'), places('18:00', 'item'), places('18:30', 'item'));
    await deleteWorkout();
    expect(await stored()).toEqual(['210 18:30 48']);
  });

  it('deletes only positions from the archived totals of its day', async () => {
    const workout = run({ externalId: 'w1' });
    await write(workout, ...measured(workout));
    const beforeDay = dayNumber('2026-06-01') as number;
    expect(await archiveUser(fixture.pool, user, { beforeDay, compare: () => 0, deviceOrder: 0 })).toBe(5);
    const archived = async () =>
      (
        await fixture.pool.query<{ type_id: number }>(
          'select type_id from day_archive where user_key = $1 order by type_id',
          [user],
        )
      ).rows.map(({ type_id }) => type_id);
    const ids = (...codes: SeriesCode[]) => codes.map((code) => seriesTypeByCode(code).id);
    expect(await archived()).toEqual(ids('heart_rate', 'speed', 'latitude', 'longitude'));
    // The archived positions of the day cannot be attributed to one of the two workouts.
    const morning = run({ externalId: 'w2', startMs: Date.parse(at('08:00')), endMs: Date.parse(at('09:00')) });
    await write(morning);
    await deleteWorkout(morning.startMs);
    expect(await archived()).toEqual(ids('heart_rate', 'speed', 'latitude', 'longitude'));
    const id = await deleteWorkout();
    expect(await archived()).toEqual(ids('heart_rate', 'speed'));
    expect((await dayValues()).map((value) => Number(value.split(' ')[0]))).toEqual(ids('heart_rate', 'speed'));
    await fixture.writer.restoreSession(user, 'workout', id);
    await write(workout, ...measured(workout));
    expect(await stored()).toEqual(['210 17:10 48.1', '211 17:10 11.5']);
  });
});

describe('a moved workout', () => {
  const source = vendor('suunto');
  const moved = (from: string, to: string, facts: Partial<WorkoutRecord> = {}) =>
    run({ source, externalId: 'w1', startMs: Date.parse(at(from)), endMs: Date.parse(at(to)), ...facts });
  const rates = (...times: string[]) => times.map((time) => reading('heart_rate', time, 150, source, 'workout/w1'));

  it.each([
    ['later by minutes', '17:20', '18:20', ['1 17:30 150', '1 18:05 150']],
    ['to a part of itself', '17:20', '17:40', ['1 17:30 150']],
    ['to an earlier start', '16:00', '18:00', ['1 17:00 150', '1 17:30 150', '1 18:05 150']],
    ['to later hours', '20:00', '21:00', []],
  ])('deletes readings outside its new time when moved %s', async (_, from, to, left) => {
    await write(moved('17:00', '18:00'), ...rates('17:00', '17:30', '18:05'));
    await write(moved(from, to));
    expect(await stored()).toEqual(left);
  });

  it.each([
    ['by a part of a second', '17:59:59.900', ['1 17:30 150', '1 18:05 150']],
    ['by less than the margin for later readings', '17:58', ['1 17:30 150', '1 18:05 150']],
    ['by more than the margin for later readings', '17:40', ['1 17:30 150']],
  ])('deletes only readings beyond the margin when its end moves earlier %s', async (_, to, left) => {
    await write(moved('17:00', '17:59:59.950'), ...rates('17:30', '18:05'));
    await write(moved('17:00', to));
    expect(await stored()).toEqual(left);
  });

  it("keeps another device's readings if the workout ids are equal", async () => {
    const item = (device: SourceIdentity, from: string, to: string) =>
      run({ source: device, externalId: 'w1', startMs: Date.parse(at(from)), endMs: Date.parse(at(to)) });
    await write(item(WATCH, '17:00', '18:00'), reading('heart_rate', '17:10', 150, WATCH, 'w1'));
    await write(item(PHONE, '19:00', '20:00'));
    expect(await stored()).toEqual(['1 17:10 150']);
  });

  it('keeps its readings when the item that moves it is rejected', async () => {
    await write(moved('17:00', '18:00'), ...rates('17:30'));
    expect((await write(moved('20:00', '19:00'))).rejected).toHaveLength(1);
    expect(await stored()).toEqual(['1 17:30 150']);
  });

  it('keeps the known device name when later Garmin items have none', async () => {
    const item = (device?: string) => run({ source: vendor('garmin', device), externalId: '7', idScope: 'writer' });
    await write(item(), reading('heart_rate', '17:10', 150, vendor('garmin'), 'activityDetails/7'));
    await write(item('Fenix'));
    await write(item(), reading('heart_rate', '17:10', 150, vendor('garmin'), 'activityDetails/7'));
    const { rows } = await fixture.pool.query(
      'select device_model as device from workout join data_source using (source_id) where workout.user_key = $1',
      [user],
    );
    expect(rows).toEqual([{ device: 'Fenix' }]);
    expect(await stored()).toEqual(['1 17:10 150']);
  });

  it('keeps readings that are newer than a late creation message', async () => {
    await write(moved('17:00', '18:00'), ...rates('17:00', '17:30'));
    const late = await write(moved('17:20', '18:20', { isCreation: true }));
    expect(late).toMatchObject({ workouts: { inserted: 0, updated: 0, unchanged: 1 }, dates: undefined });
    expect(await stored()).toEqual(['1 17:00 150', '1 17:30 150']);
    await write(moved('20:00', '21:00'), ...rates('17:30', '20:10'));
    expect(await stored()).toEqual(['1 17:30 150', '1 20:10 150']);
  });

  it('is corrected by items after its creation message', async () => {
    expect((await write(moved('17:00', '18:00', { isCreation: true }))).workouts.inserted).toBe(1);
    expect((await write(moved('17:20', '18:20', { isCreation: true }))).workouts.unchanged).toBe(1);
    expect((await write(moved('17:10', '18:10'))).workouts.updated).toBe(1);
  });
});
