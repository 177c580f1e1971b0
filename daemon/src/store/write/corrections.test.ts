import { type HealthRecord, type SampleRecord, seriesTypeByCode } from '@healthd/model';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { GARMIN, PHONE, run, sample, sleepStage, WATCH } from '../../../../test/support/records.js';

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

async function rows(sql: string) {
  return (await fixture.pool.query(sql, [user])).rows;
}
const nights = () => rows('select id, start_at, end_at from sleep_session where user_key = $1 order by start_at');
const days = async (code: 'steps' | 'heart_rate' = 'steps') =>
  (
    await rows(
      `select local_date || ' ' || coalesce(total_sum, sample_sum) as shown from day_value
        where user_key = $1 and type_id = ${seriesTypeByCode(code).id} order by local_date`,
    )
  ).map(({ shown }) => shown);

describe('samples of one batch', () => {
  it('keep the last version of each id and start', async () => {
    const steps = (minute: number, value: number) => ({
      ...sample('steps', `2026-03-10T08:${String(minute).padStart(2, '0')}Z`, value, { offsetMinutes: 0 }),
      externalId: 'a',
    });
    await write(steps(5, 1), steps(1, 100), steps(3, 7), steps(1, 30), steps(0, 2), steps(1, 4));
    expect(await rows('select value from sample where user_key = $1 order by start_at')).toEqual(
      [2, 4, 7, 1].map((value) => ({ value })),
    );
    expect(await days()).toEqual(['2026-03-10 14']);
  });
});

describe('a corrected sample with a missing offset', () => {
  const late = (value: number, offsetMinutes?: number): SampleRecord => ({
    ...sample('steps', '2026-03-10T22:30Z', value, { offsetMinutes }),
    externalId: 'a',
  });

  it('leaves its inferred day when the correction has an offset', async () => {
    await write(sample('heart_rate', '2026-03-10T22:00Z', 60, { offsetMinutes: 120 }), late(40));
    expect(await days()).toEqual(['2026-03-11 40']);
    await write(late(41, 0));
    expect(await days()).toEqual(['2026-03-10 41']);
  });

  it('moves to another day when its correction has a different nearby offset', async () => {
    for (const [from, to, offsetMinutes] of [
      ['2026-03-10T22:00Z', '2026-03-10T23:00Z', 120],
      ['2026-03-10T21:00Z', '2026-03-10T23:30Z', 0],
    ] as const) {
      await write(...[from, to].map((at) => sample('heart_rate', at, 60, { offsetMinutes })));
    }
    await write(late(40));
    const [before] = await days();
    const [offset, after] = before === '2026-03-10 40' ? [120, '2026-03-11 41'] : [0, '2026-03-10 41'];
    await write(late(41, offset));
    expect(await days()).toEqual([after]);
  });

  it('moves to another day when the batch reveals another offset', async () => {
    await write(late(40));
    expect(await days()).toEqual(['2026-03-10 40']);
    await write(late(41), sample('heart_rate', '2026-03-10T23:00Z', 60, { offsetMinutes: 120 }));
    expect(await days()).toEqual(['2026-03-11 41']);
  });

  it('keeps its day if only its first version had an offset', async () => {
    await write(
      sample('heart_rate', '2026-03-10T22:00Z', 60, { offsetMinutes: -60 }),
      sample('heart_rate', '2026-03-10T22:45Z', 60, { offsetMinutes: -60 }),
      late(40, 120),
    );
    expect(await days()).toEqual(['2026-03-11 40']);
    await write(late(41));
    expect(await days()).toEqual(['2026-03-11 41']);
  });
});

describe('a deletion', () => {
  it.each([
    ['west', -480],
    ['east', 780],
  ])('empties the day of a midnight-UTC total for users %s of Greenwich', async (_side, offsetMinutes) => {
    await write(
      sample('heart_rate', '2026-03-09T12:00Z', 60, { offsetMinutes }),
      sample('heart_rate', '2026-03-10T12:00Z', 60, { offsetMinutes }),
      sample('steps', '2026-03-10T00:00Z', 8000, { kind: 'daily_total' }),
    );
    expect(await days()).toEqual(['2026-03-10 8000']);
    const startMs = Date.parse('2026-03-10T00:00Z');
    const typeId = seriesTypeByCode('steps').id;
    const span = { startMs, endMs: startMs + 1 };
    const { deleted, dates } = await write({ kind: 'deletion', provider: 'apple', of: 'samples', typeId, ...span });
    expect(deleted.samples).toBe(1);
    expect(dates).toEqual({ from: '2026-03-10', to: '2026-03-10' });
    expect(await days()).toEqual([]);
  });

  it('keeps the stages of adjacent nights', async () => {
    await write(
      sleepStage('light', '2026-03-09T21:00Z', '2026-03-09T23:00Z', { sessionId: 'before' }),
      sleepStage('light', '2026-03-09T23:00Z', '2026-03-10T03:00Z', { sessionId: 'night' }),
      sleepStage('light', '2026-03-10T03:00Z', '2026-03-10T06:00Z', { sessionId: 'after' }),
    );
    const all = await nights();
    expect(all).toHaveLength(3);
    expect(await fixture.writer.deleteSession(user, 'sleep_session', all[1].id)).toBe(true);
    expect(await nights()).toEqual([all[0], all[2]]);
    const stages = await rows('select session_id from sleep_stage where user_key = $1 order by start_at');
    expect(stages.map(({ session_id: id }) => id)).toEqual(['before', 'after']);
    await write(sleepStage('deep', '2026-03-09T20:30Z', '2026-03-09T21:00Z', { sessionId: 'before' }));
    expect((await nights()).map(({ end_at }) => end_at)).toEqual([all[0].end_at, all[2].end_at]);
  });
});

describe('a night joined from two parts', () => {
  it.each([
    ['later', '2026-03-09T23:00Z', '2026-03-10T00:30Z', '2026-03-10T03:30Z', '2026-03-10T07:00Z', 1],
    ['earlier', '2026-03-09T22:00Z', '2026-03-10T01:30Z', '2026-03-10T05:00Z', '2026-03-10T06:00Z', 0],
  ])('keeps the id of its longer part, the %s part', async (_which, from, until, again, to, longer) => {
    await write(sleepStage('light', from, until), sleepStage('light', again, to));
    const parts = await nights();
    expect(parts).toHaveLength(2);
    await write(sleepStage('deep', until, again));
    expect(await nights()).toMatchObject([{ id: parts[longer].id, start_at: new Date(from), end_at: new Date(to) }]);
  });
});

describe('nights with vendor ids', () => {
  it('keep their ids after swapping times', async () => {
    await write(
      sleepStage('light', '2026-03-09T22:00Z', '2026-03-10T00:00Z', { sessionId: 'a' }),
      sleepStage('light', '2026-03-10T01:00Z', '2026-03-10T06:00Z', { sessionId: 'b' }),
    );
    const before = await rows('select id, external_id from sleep_session where user_key = $1 order by external_id');
    await write(
      sleepStage('light', '2026-03-10T01:00Z', '2026-03-10T06:00Z', { sessionId: 'a' }),
      sleepStage('light', '2026-03-09T22:00Z', '2026-03-10T00:00Z', { sessionId: 'b' }),
    );
    const after = await rows('select id, external_id from sleep_session where user_key = $1 order by external_id');
    expect(after).toEqual(before);
  });

  const night = (sessionId: string | undefined, byMs = 0) =>
    [
      sleepStage('light', '2026-03-09T23:00Z', '2026-03-10T02:00Z'),
      sleepStage('deep', '2026-03-10T02:00Z', '2026-03-10T05:00Z'),
    ].map((stage) => ({ ...stage, sessionId, startMs: stage.startMs + byMs, endMs: stage.endMs + byMs }));
  const asleep = () => rows('select id, asleep_seconds from sleep_session where user_key = $1 order by start_at');

  it('keep their stored id if the vendor changes their times and id', async () => {
    await write(...night('a'));
    const [before] = await asleep();
    await write(...night('b', 60_000));
    expect(await asleep()).toEqual([{ id: before.id, asleep_seconds: 361 * 60 }]);
    await write(...night(undefined, 400));
    expect(await asleep()).toEqual([{ id: before.id, asleep_seconds: 361 * 60 }]);
  });

  it('stay deleted under each of their former ids', async () => {
    await write(...night('a'));
    await write(...night('b', 60_000));
    const [stored] = await asleep();
    expect(await fixture.writer.deleteSession(user, 'sleep_session', stored.id)).toBe(true);
    expect(await asleep()).toEqual([]);
    expect(await rows('select stage from sleep_stage where user_key = $1')).toEqual([]);
    await write(...night('a'), ...night('b', 60_000));
    expect(await asleep()).toEqual([]);
  });
});

describe('sleep of less than a minute', () => {
  it('becomes a night only when it grows', async () => {
    const doze = (stage: 'light' | 'deep', from: string, to: string) => write(sleepStage(stage, from, to));
    expect((await doze('light', '2026-03-09T21:00:00Z', '2026-03-09T21:00:30Z')).rejected).toEqual([]);
    expect(await nights()).toEqual([]);
    await doze('deep', '2026-03-09T21:00:30Z', '2026-03-09T21:30:00Z');
    expect(await nights()).toMatchObject([
      { start_at: new Date('2026-03-09T21:00Z'), end_at: new Date('2026-03-09T21:30Z') },
    ]);
  });

  it('is not a night even next to time awake', async () => {
    await write(
      sleepStage('awake', '2026-03-09T21:00Z', '2026-03-09T22:00Z'),
      sleepStage('light', '2026-03-09T22:00:00Z', '2026-03-09T22:00:30Z'),
    );
    expect(await nights()).toEqual([]);
  });
});

describe('writing an external id shared by two sources', () => {
  it('corrects only the workout of the correcting source', async () => {
    const endMs = Date.parse('2026-03-10T18:30Z');
    await write(run({ externalId: 'w' }), run({ externalId: 'w', source: PHONE }));
    const result = await write(run({ externalId: 'w', source: PHONE, endMs }));
    expect(result.workouts).toEqual({ inserted: 0, updated: 1, unchanged: 0 });
    const found = await rows(
      `select d.device_model, w.end_at from workout w join data_source d using (user_key, source_id)
        where user_key = $1 order by w.end_at`,
    );
    expect(found).toEqual([
      { device_model: WATCH.deviceModel, end_at: new Date('2026-03-10T18:00Z') },
      { device_model: PHONE.deviceModel, end_at: new Date(endMs) },
    ]);
  });

  it('stores the last workout of each source in a batch', async () => {
    const of = (source: typeof WATCH, distanceMeters: number) => run({ externalId: 'w', source, distanceMeters });
    await write(of(WATCH, 1), of(PHONE, 2), of(WATCH, 3), of(GARMIN, 4), of(PHONE, 5));
    const found = await rows('select distance_meters as meters from workout where user_key = $1 order by 1');
    expect(found.map(({ meters }) => meters)).toEqual([3, 4, 5]);
  });

  it("changes only the date of the correcting source's night", async () => {
    const night = (source: typeof WATCH, end: string): HealthRecord => ({
      kind: 'sleep_session',
      source,
      externalId: 'n',
      isNap: false,
      offsetMinutes: 0,
      startMs: Date.parse('2026-03-09T22:00Z'),
      endMs: Date.parse(end),
      asleepSeconds: 14_400,
    });
    await write(night(WATCH, '2026-03-10T06:00Z'), night(PHONE, '2026-03-10T05:00Z'));
    await write(night(PHONE, '2026-03-09T23:30Z'));
    const found = await rows('select wake_date from sleep_session where user_key = $1 order by end_at');
    expect(found.map(({ wake_date: date }) => date)).toEqual(['2026-03-09', '2026-03-10']);
  });
});
