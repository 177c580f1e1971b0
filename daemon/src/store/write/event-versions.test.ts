import { batchOf, type HealthRecord, readingsId, type SourceIdentity, type WorkoutRecord } from '@healthd/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { sample } from '../../../../test/support/records.js';

const CLOUD: SourceIdentity = { provider: 'suunto', writer: 'cloud' };
const WATCH: SourceIdentity = { ...CLOUD, deviceModel: 'Race' };
const OTHER_WATCH: SourceIdentity = { ...CLOUD, deviceModel: 'Vertical' };
const START = Date.UTC(2026, 2, 10, 8);
const HOUR_MS = 3_600_000;

let fixture: RecordFixture;

beforeAll(async () => {
  fixture = await openRecordFixture();
});

afterAll(() => fixture.close());

const run = (rest: Partial<WorkoutRecord> = {}): WorkoutRecord => ({
  kind: 'workout',
  source: CLOUD,
  externalId: 'run',
  type: 'running',
  startMs: START,
  endMs: START + HOUR_MS,
  ...rest,
});

async function workoutsOf(user: number) {
  const { rows } = await fixture.pool.query(
    `select w.name, w.distance_meters, w.metadata, w.pushed, d.device_model from workout w
       join data_source d using (user_key, source_id) where user_key = $1 order by w.start_at`,
    [user],
  );
  return rows;
}

describe('versions of a workout', () => {
  it('keep values that the later version lacks', async () => {
    const user = await fixture.newUser();
    await fixture.write(user, run({ name: 'Morning', metadata: { laps: 2 } }));
    const { workouts } = await fixture.write(user, run({ distanceMeters: 900, metadata: { wind: 3 } }));
    expect(workouts).toEqual({ inserted: 0, updated: 1, unchanged: 0 });
    expect(await workoutsOf(user)).toMatchObject([
      { name: 'Morning', distance_meters: 900, metadata: { laps: 2, wind: 3 } },
    ]);
  });

  it('fill only unknown values if marked as completions', async () => {
    const user = await fixture.newUser();
    await fixture.write(user, run({ name: 'Morning' }));
    await fixture.write(user, run({ name: 'Evening', distanceMeters: 900, isCompletion: true }));
    expect(await workoutsOf(user)).toMatchObject([{ name: 'Morning', distance_meters: 900 }]);
  });

  it('are unchanged if a phone pushes data already imported from a file', async () => {
    const user = await fixture.newUser();
    const source: SourceIdentity = { provider: 'apple', writer: 'Watch' };
    await fixture.write(user, run({ source }));
    const batch = {
      ...batchOf([run({ source, pushedId: 'a' })]),
      pushedBy: { provider: 'apple', device: '' } as const,
    };
    const { workouts } = await fixture.writer.write(user, batch);
    expect(workouts).toEqual({ inserted: 0, updated: 0, unchanged: 1 });
    expect(await workoutsOf(user)).toMatchObject([{ pushed: true }]);
  });

  it('move to the last named device, unless they have readings', async () => {
    const shared = (source: SourceIdentity, id: string): HealthRecord =>
      run({
        source,
        externalId: id,
        idScope: 'writer',
        ...(id === 'b' && { startMs: START + 2 * HOUR_MS, endMs: START + 3 * HOUR_MS }),
      });
    const user = await fixture.newUser();
    const reading = {
      ...sample('heart_rate', new Date(START + 60_000).toISOString(), 120, { source: WATCH }),
      externalId: readingsId('suunto', 'a'),
    };
    await fixture.write(user, shared(WATCH, 'a'), reading, shared(WATCH, 'b'));
    await fixture.write(user, shared(OTHER_WATCH, 'a'), shared(OTHER_WATCH, 'b'));
    expect(await workoutsOf(user)).toMatchObject([{ device_model: 'Race' }, { device_model: 'Vertical' }]);
  });
});

describe('versions of a score in one batch', () => {
  const score = (rest: object): HealthRecord => ({
    kind: 'health_score',
    source: CLOUD,
    externalId: 'day',
    category: 'sleep',
    atMs: START,
    ...rest,
  });

  it('keep values that the later version lacks', async () => {
    const user = await fixture.newUser();
    await fixture.write(user, score({ value: 80 }), score({ qualifier: 'good' }));
    const { rows } = await fixture.pool.query('select value, qualifier from health_score where user_key = $1', [user]);
    expect(rows).toEqual([{ value: 80, qualifier: 'good' }]);
  });

  it('contain the highest stored sample of their time spans', async () => {
    const user = await fixture.newUser();
    const spans = [{ startMs: START, endMs: START + HOUR_MS }];
    const highest = score({ highestOf: { typeId: 1, spans } });
    const rate = (minute: number, value: number, id: string): HealthRecord => ({
      ...sample('heart_rate', new Date(START + minute * 60_000).toISOString(), value, { source: CLOUD }),
      externalId: id,
    });
    const value = async () =>
      (await fixture.pool.query('select value from health_score where user_key = $1', [user])).rows;
    await fixture.write(user, rate(1, 140, 'a'), rate(2, 90, 'b'), highest);
    expect(await value()).toEqual([{ value: 140 }]);
    // A correction lowers the highest sample.
    await fixture.write(user, rate(1, 100, 'a'), highest);
    expect(await value()).toEqual([{ value: 100 }]);
    await fixture.write(user, rate(60, 180, 'c'), highest);
    expect(await value()).toEqual([{ value: 100 }]);
  });
});
