import {
  type HealthRecord,
  MS_PER_DAY,
  MS_PER_HOUR,
  MS_PER_MINUTE,
  SECONDS_PER_HOUR,
  type SeriesCode,
  type SleepStageRecord,
  type SourceIdentity,
  seriesTypeByCode,
} from '@healthd/model';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { PHONE, run, sleepStage, WATCH } from '../../../../test/support/records.js';

let fixture: RecordFixture;
let user: number;

beforeAll(async () => {
  fixture = await openRecordFixture();
});

beforeEach(async () => {
  user = await fixture.newUser();
});

afterAll(() => fixture.close());

function write(...records: HealthRecord[]) {
  return fixture.write(user, ...records);
}

async function all(table: string) {
  return (await fixture.pool.query(`select * from ${table} where user_key = $1 order by start_at`, [user])).rows;
}

describe('sleep', () => {
  it('belongs to the local date on which it ends', async () => {
    await write(sleepStage('light', '2026-01-15T16:00Z', '2026-01-15T22:30Z', { offsetMinutes: 120 }));
    expect(await all('sleep_session')).toMatchObject([{ wake_date: '2026-01-16', assembled: true, is_nap: false }]);
  });

  it('keeps the id of one fragment when fragments are joined', async () => {
    await write(sleepStage('light', '2026-03-09T23:00Z', '2026-03-10T01:00Z'));
    const [first] = await all('sleep_session');
    const grown = await write(
      sleepStage('deep', '2026-03-09T22:00Z', '2026-03-09T23:00Z'),
      sleepStage('rem', '2026-03-10T04:00Z', '2026-03-10T07:00Z'),
    );
    expect(grown.sleepSessions).toEqual({ inserted: 1, updated: 1, unchanged: 0 });
    const joined = await write(sleepStage('light', '2026-03-10T01:00Z', '2026-03-10T04:00Z'));
    const sessions = await all('sleep_session');
    expect(sessions).toHaveLength(1);
    expect(joined.sleepSessionIds.updated).toEqual([sessions[0].id]);
    expect([first.id, ...grown.sleepSessionIds.inserted]).toContain(sessions[0].id);
    expect(sessions[0]).toMatchObject({
      asleep_seconds: 9 * SECONDS_PER_HOUR,
      in_bed_seconds: 9 * SECONDS_PER_HOUR,
      efficiency_percent: 100,
    });
  });

  it('changes nothing when one of its stages is redelivered', async () => {
    const night = [
      sleepStage('light', '2026-03-09T23:00Z', '2026-03-10T01:00Z'),
      sleepStage('deep', '2026-03-10T01:00Z', '2026-03-10T06:00Z'),
    ];
    await write(...night);
    const before = await all('sleep_session');
    const again = await write(night[1] as SleepStageRecord);
    expect(again.sleepStages).toEqual({ inserted: 0, updated: 0, unchanged: 1 });
    expect(again.dates).toBeUndefined();
    expect(await all('sleep_session')).toEqual(before);
  });

  it('forms separate sessions for watch and phone', async () => {
    await write(
      sleepStage('light', '2026-03-09T23:00Z', '2026-03-10T06:00Z'),
      sleepStage('in_bed', '2026-03-09T22:00Z', '2026-03-10T07:00Z', { source: PHONE }),
    );
    const sessions = await all('sleep_session');
    expect(sessions.map(({ asleep_seconds, in_bed_seconds }) => [asleep_seconds, in_bed_seconds])).toEqual([
      [null, 9 * SECONDS_PER_HOUR],
      [7 * SECONDS_PER_HOUR, 7 * SECONDS_PER_HOUR],
    ]);
  });

  it('becomes a nap once the previous night is known', async () => {
    await write(sleepStage('light', '2026-03-10T14:00Z', '2026-03-10T15:00Z'));
    expect(await all('sleep_session')).toMatchObject([{ is_nap: false }]);
    const result = await write(sleepStage('light', '2026-03-09T22:00Z', '2026-03-10T06:00Z'));
    expect(result.sleepSessions).toEqual({ inserted: 1, updated: 1, unchanged: 0 });
    expect((await all('sleep_session')).map(({ is_nap }) => is_nap)).toEqual([false, true]);
  });

  it('keeps its duration across the spring clock change', async () => {
    await write(
      sleepStage('light', '2026-03-29T00:00+01:00', '2026-03-29T01:30+01:00', { offsetMinutes: 60 }),
      sleepStage('deep', '2026-03-29T01:30+01:00', '2026-03-29T07:00+02:00', { offsetMinutes: 120 }),
    );
    expect(await all('sleep_session')).toMatchObject([
      { asleep_seconds: 6 * SECONDS_PER_HOUR, wake_date: '2026-03-29', offset_minutes: 120 },
    ]);
  });

  it('is rejected for stages longer than a day or without a duration', async () => {
    const result = await write(
      sleepStage('light', '2026-03-10T06:00Z', '2026-03-10T06:00Z'),
      sleepStage('light', '2026-03-10T06:00Z', '2026-03-11T06:00:01Z'),
    );
    expect(result.rejected.map(({ index, code }) => [index, code])).toEqual([
      [0, 'empty_interval'],
      [1, 'too_long'],
    ]);
    expect(await all('sleep_session')).toEqual([]);
  });

  it('is corrected in place, including nightly values, by a later delivery', async () => {
    const night: HealthRecord = {
      kind: 'sleep_session',
      source: { provider: 'oura' },
      externalId: 'n1',
      startMs: Date.parse('2026-03-09T22:00Z'),
      endMs: Date.parse('2026-03-10T06:00Z'),
      offsetMinutes: 0,
      asleepSeconds: 7 * SECONDS_PER_HOUR,
      inBedSeconds: 8 * SECONDS_PER_HOUR,
    };
    const pulse = (at: string, value: number): HealthRecord => ({
      kind: 'sample',
      source: { provider: 'oura' },
      typeId: 1,
      startMs: Date.parse(at),
      value,
      sampleKind: 'sample',
      offsetMinutes: 0,
    });
    await write(night, pulse('2026-03-10T01:00Z', 50), pulse('2026-03-10T06:30Z', 60));
    const [before] = await all('sleep_session');
    expect(before).toMatchObject({ efficiency_percent: 87.5, is_nap: false, assembled: false });
    const nights = `select wake_date, window_count, window_sum from night_value where user_key = ${user}`;
    expect((await fixture.pool.query(nights)).rows).toEqual([
      { wake_date: '2026-03-10', window_count: 1, window_sum: 50 },
    ]);
    await write({ ...night, endMs: Date.parse('2026-03-10T07:00Z'), efficiencyPercent: 120 });
    const [after] = await all('sleep_session');
    expect(after).toMatchObject({ id: before.id, efficiency_percent: 100 });
    expect((await fixture.pool.query(nights)).rows).toEqual([
      { wake_date: '2026-03-10', window_count: 2, window_sum: 110 },
    ]);
  });

  const vendorNight = (more: object): HealthRecord => ({
    kind: 'sleep_session',
    source: { provider: 'oura' },
    externalId: 'n1',
    startMs: Date.parse('2026-03-09T22:00Z'),
    endMs: Date.parse('2026-03-10T06:00Z'),
    ...more,
  });
  const reading = (code: SeriesCode, at: string, value: number, offsetMinutes = 0): HealthRecord => ({
    kind: 'sample',
    source: { provider: 'oura' },
    typeId: seriesTypeByCode(code).id,
    startMs: Date.parse(at),
    value,
    sampleKind: 'sample',
    offsetMinutes,
  });

  it('keeps its date if only its first version has an offset', async () => {
    await write(
      vendorNight({ offsetMinutes: -600, asleepSeconds: 7 * SECONDS_PER_HOUR }),
      reading('heart_rate', '2026-03-10T06:00Z', 50),
    );
    const night = { wake_date: '2026-03-09', offset_minutes: -600 };
    expect(await all('sleep_session')).toMatchObject([night]);
    await write(vendorNight({ asleepSeconds: 6 * SECONDS_PER_HOUR }));
    expect(await all('sleep_session')).toMatchObject([{ ...night, asleep_seconds: 6 * SECONDS_PER_HOUR }]);
  });

  it('keeps the readings of one series when another series grows', async () => {
    await write(
      vendorNight({ offsetMinutes: 0 }),
      reading('heart_rate', '2026-03-10T01:00Z', 50),
      reading('oxygen_saturation', '2026-03-10T01:00Z', 96),
    );
    await write(reading('heart_rate', '2026-03-10T02:00Z', 52));
    const { rows } = await fixture.pool.query(
      'select type_id, window_count, window_sum from night_value where user_key = $1 order by window_count',
      [user],
    );
    expect(rows).toEqual([
      { type_id: seriesTypeByCode('oxygen_saturation').id, window_count: 1, window_sum: 96 },
      { type_id: seriesTypeByCode('heart_rate').id, window_count: 2, window_sum: 102 },
    ]);
  });

  it('stays deleted when a later night arrives', async () => {
    await write(sleepStage('light', '2026-03-09T23:00Z', '2026-03-10T06:00Z'));
    const [session] = await all('sleep_session');
    expect(await fixture.writer.deleteSession(user, 'sleep_session', session.id)).toBe(true);
    expect(await fixture.writer.deleteSession(user, 'sleep_session', session.id)).toBe(false);
    await write(sleepStage('light', '2026-03-10T23:00Z', '2026-03-11T06:00Z'));
    expect(await all('sleep_session')).toMatchObject([{ wake_date: '2026-03-11' }]);
  });
});

describe('sessions', () => {
  it('are rejected beyond the duration bounds', async () => {
    const startMs = Date.parse('2026-03-09T22:00Z');
    const lasting = (ms: number) => ({ startMs, endMs: startMs + ms, externalId: `of ${ms}`, offsetMinutes: 0 });
    const vendorSleep = (ms: number): HealthRecord => ({
      kind: 'sleep_session',
      source: { provider: 'oura' },
      ...lasting(ms),
    });
    const result = await write(
      ...[MS_PER_MINUTE - 1, MS_PER_MINUTE, 36 * MS_PER_HOUR, 36 * MS_PER_HOUR + 1].map(vendorSleep),
      ...[999, 1000, 14 * MS_PER_DAY, 14 * MS_PER_DAY + 1].map((ms) => run(lasting(ms))),
    );
    expect(result.items).toMatchObject({ read: 8, inserted: 4, rejected: 4 });
    expect(result.rejected.map(({ index, code, detail }) => [index, code, detail])).toEqual([
      ...[0, 3].map((index) => [index, 'implausible', 'sleep session 1 min..36 h']),
      ...[4, 7].map((index) => [index, 'implausible', 'workout 1 s..14 days']),
    ]);
  });
});

describe('workouts', () => {
  it('are corrected when redelivered with a new end', async () => {
    const first = await write(run({ externalId: 'w1' }));
    expect(first.workouts.inserted).toBe(1);
    const second = await write(
      run({ externalId: 'w1', endMs: Date.parse('2026-03-10T18:00:01Z'), distanceMeters: 10_100 }),
    );
    expect(second.workoutIds).toEqual({ inserted: [], updated: first.workoutIds.inserted });
    expect(await all('workout')).toMatchObject([{ distance_meters: 10_100 }]);
  });

  it('keep their modification time when redelivered unchanged', async () => {
    await write(run({ metadata: { weather: 'rain', lap_length_meters: 400 } }));
    const before = await all('workout');
    const again = await write(run({ metadata: { lap_length_meters: 400, weather: 'rain' } }));
    expect(again.workouts).toEqual({ inserted: 0, updated: 0, unchanged: 1 });
    expect(await all('workout')).toEqual(before);
  });

  it('belong to the local date on which they end', async () => {
    await write(run({ startMs: Date.parse('2026-03-10T22:30Z'), endMs: Date.parse('2026-03-10T23:30Z') }));
    expect(await all('workout')).toMatchObject([{ local_date: '2026-03-11' }]);
  });

  it('move to the date of an offset that becomes known later', async () => {
    await write(run({ offsetMinutes: undefined, endMs: Date.parse('2026-03-10T23:30Z') }));
    expect(await all('workout')).toMatchObject([{ local_date: '2026-03-10' }]);
    await write(sleepStage('light', '2026-03-11T05:00Z', '2026-03-11T06:00Z', { offsetMinutes: 60 }));
    expect(await all('workout')).toMatchObject([{ local_date: '2026-03-11' }]);
  });
});

describe('writing scores and personal data', () => {
  it('replaces a revised score in its row', async () => {
    const score = (value: number): HealthRecord => ({
      kind: 'health_score',
      source: { provider: 'oura' },
      category: 'readiness',
      atMs: Date.parse('2026-03-10T06:00Z'),
      value,
    });
    await write(score(70));
    expect((await write(score(75))).healthScores).toEqual({ inserted: 0, updated: 1, unchanged: 0 });
    const { rows } = await fixture.pool.query('select value, provider from health_score where user_key = $1', [user]);
    expect(rows).toEqual([{ value: 75, provider: 'oura' }]);
  });

  it('fills only empty personal fields from an import', async () => {
    await write({ kind: 'personal', gender: 'female' });
    await write({ kind: 'personal', gender: 'male', birthDate: '1990-02-03' });
    const { rows } = await fixture.pool.query('select birth_date, gender from personal_record where user_key = $1', [
      user,
    ]);
    expect(rows).toEqual([{ birth_date: '1990-02-03', gender: 'female' }]);
  });
});

describe('deletions', () => {
  it('delete only the named session and sample range with their roll-ups', async () => {
    const steps = (source: SourceIdentity, at: string): HealthRecord => ({
      kind: 'sample',
      source,
      typeId: 80,
      startMs: Date.parse(at),
      value: 10,
      sampleKind: 'sample',
      offsetMinutes: 0,
    });
    const google: SourceIdentity = { provider: 'google' };
    await write(
      run({ externalId: 'w1' }),
      run({ externalId: 'w1', source: google }),
      steps(google, '2026-03-10T08:00Z'),
      steps(google, '2026-03-11T08:00Z'),
      steps(WATCH, '2026-03-10T08:00Z'),
    );
    const result = await write(
      { kind: 'deletion', provider: 'google', of: 'session', externalId: 'w1' },
      {
        kind: 'deletion',
        provider: 'google',
        of: 'samples',
        typeId: 80,
        startMs: Date.parse('2026-03-10T00:00Z'),
        endMs: Date.parse('2026-03-11T00:00Z'),
      },
    );
    expect(result.deleted).toEqual({ samples: 1, sessions: 1, healthScores: 0 });
    expect(await all('workout')).toHaveLength(1);
    const { rows } = await fixture.pool.query(
      `select d.provider, v.local_date from day_value v join data_source d using (user_key, source_id)
        where user_key = $1 order by 1, 2`,
      [user],
    );
    expect(rows).toEqual([
      { provider: 'apple', local_date: '2026-03-10' },
      { provider: 'google', local_date: '2026-03-11' },
    ]);
    const minutes = await fixture.pool.query('select 1 from day_minutes where user_key = $1', [user]);
    expect(minutes.rowCount).toBe(2);
  });
});

describe('writing workouts with parts that cannot be stored', () => {
  const startMs = Date.parse('2026-03-10T17:10Z');
  it.each([
    ['an event at an impossible time', 'events', { events: [{ type: 'lap', startMs: 1e303, durationSeconds: 60 }] }],
    ['an event at NaN', 'events', { events: [{ type: 'lap', startMs: Number.NaN, durationSeconds: 60 }] }],
    ['an activity with an impossible end', 'activities', { activities: [{ type: 'running', startMs, endMs: 1e303 }] }],
  ] as const)('rejects only the workout with %s', async (_, field, parts) => {
    const [events, activities] = [
      'events' in parts ? [...parts.events] : [],
      'activities' in parts ? [...parts.activities] : [],
    ];
    const result = await write(run({ externalId: 'w1', events, activities }), run({ externalId: 'w2' }));
    expect(result.rejected).toMatchObject([{ collection: 'workouts', index: 0, field, code: 'invalid_date' }]);
    expect((await all('workout')).map((workout) => workout.external_id)).toEqual(['w2']);
  });
});

describe('sources', () => {
  it('are updated by later observations', async () => {
    await write(run({ source: { ...WATCH, softwareVersion: '9.1' } }));
    await write(run({ source: { ...WATCH, softwareVersion: '9.2', deviceType: 'unknown' } }));
    await write(run({ source: { provider: 'sensorbio' } }));
    const { rows } = await fixture.pool.query(
      'select provider, device_type, software_version from data_source where user_key = $1 order by source_id',
      [user],
    );
    expect(rows).toEqual([
      { provider: 'apple', device_type: 'watch', software_version: '9.2' },
      { provider: 'sensorbio', device_type: null, software_version: null },
    ]);
  });

  it('give a new provider a distinct rank', async () => {
    await write(run({ source: { provider: 'sensorbio' } }));
    const ranks = await fixture.pool.query(
      'select count(*)::int as n, count(distinct priority)::int as d from provider_priority',
    );
    expect(ranks.rows[0].n).toBe(ranks.rows[0].d);
    expect(ranks.rows[0].n).toBeGreaterThan(5);
  });
});
