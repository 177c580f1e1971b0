import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordedUser, writeRecords } from '../support/recorded-user.js';
import { GARMIN, sample, samplesEvery, sleepStage, WATCH } from '../support/records.js';
import { startTestService, type TestService } from '../support/service.js';

const RANGE = 'start_date=2026-01-01&end_date=2026-02-01';

describe('responses of a user in Auckland without record offsets', () => {
  let service: TestService;
  let user: string;
  beforeAll(async () => {
    service = await startTestService();
    const instants = { startMs: Date.parse('2026-01-12T18:00:00Z'), endMs: Date.parse('2026-01-12T19:00:00Z') };
    const { id, userKey } = await recordedUser(service);
    user = id;
    await service.pool.query(`update health_user set time_zone = 'Pacific/Auckland' where user_key = $1`, [userKey]);
    await writeRecords(service, userKey, [
      ...samplesEvery(
        'heart_rate',
        '2026-01-10T10:00:00Z',
        1,
        Array.from({ length: 1200 }, () => 60),
      ),
      sample('steps', '2026-01-20T10:00:00Z', 20, { offsetMinutes: -480 }),
      // The stage ends at 08:30 on January 12 in Auckland.
      sleepStage('light', '2026-01-11T11:00:00Z', '2026-01-11T19:30:00Z', { source: WATCH, offsetMinutes: undefined }),
      { kind: 'workout', source: GARMIN, type: 'running', ...instants },
      { kind: 'health_score', source: { provider: 'oura' }, category: 'readiness', atMs: instants.startMs, value: 80 },
      { kind: 'menstrual_cycle', source: GARMIN, details: {}, ...instants },
    ]);
  });
  afterAll(() => service.stop());

  const read = async (path: string) => (await service.call('GET', `/api/v1/users/${user}/${path}`)).body;

  it.each([50, 10_000])('contain the effective offset of samples in pages of %i', async (limit) => {
    const { data } = await read(
      `timeseries?types=heart_rate&types=steps&start_time=2026-01-01&end_time=2026-02-01&limit=${limit}`,
    );
    expect(data[0]).toMatchObject({ zone_offset: null, local_offset: '+13:00' });
    if (limit > 1000)
      expect(data.at(-1)).toMatchObject({ type: 'steps', zone_offset: '-08:00', local_offset: '-08:00' });
    const hours = await read('timeseries?types=heart_rate&start_time=2026-01-01&end_time=2026-02-01&resolution=1hour');
    expect(hours.data[0]).toMatchObject({ zone_offset: null, local_offset: '+13:00' });
  });

  it('contain the local wake date of a night', async () => {
    const dated = { zone_offset: null, local_offset: '+13:00' };
    const { data } = await read(`events/sleep?${RANGE}`);
    expect(data).toMatchObject([{ ...dated, wake_date: '2026-01-12' }]);
    expect(await read(`events/sleep/${data[0].id}`)).toMatchObject({ ...dated, wake_date: '2026-01-12' });
    const summaries = await read(`summaries/sleep?${RANGE}`);
    expect(summaries.data).toMatchObject([{ date: '2026-01-12', ...dated, sessions: [dated] }]);
  });

  it('contain the effective offset of workouts, scores and cycles', async () => {
    const dated = { zone_offset: null, local_offset: '+13:00' };
    const workouts = await read(`events/workouts?${RANGE}`);
    expect(workouts.data).toMatchObject([dated]);
    expect(await read(`events/workouts/${workouts.data[0].id}`)).toMatchObject(dated);
    expect((await read(`health-scores?${RANGE}`)).data).toMatchObject([dated]);
    expect((await read(`events/menstrual-cycles?${RANGE}`)).data).toMatchObject([dated]);
  });
});

describe('workouts across a clock change', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  // Berlin's clocks move from 2:00 to 3:00 in the middle of this workout.
  const instants = { startMs: Date.parse('2026-03-29T00:30:00Z'), endMs: Date.parse('2026-03-29T01:30:00Z') };
  const offsetsOf = async (offsetMinutes: number | undefined) => {
    const { id, userKey } = await recordedUser(service);
    await service.pool.query(`update health_user set time_zone = 'Europe/Berlin' where user_key = $1`, [userKey]);
    await writeRecords(service, userKey, [
      { kind: 'workout', source: GARMIN, type: 'running', ...instants, offsetMinutes },
    ]);
    const { body } = await service.call(
      'GET',
      `/api/v1/users/${id}/events/workouts?start_date=2026-03-28&end_date=2026-03-31`,
    );
    return body.data[0];
  };

  it('repeat their own offset as local_offset', async () => {
    expect(await offsetsOf(60)).toMatchObject({ zone_offset: '+01:00', local_offset: '+01:00' });
  });

  it('show the offset at their end if no offset is stored', async () => {
    expect(await offsetsOf(undefined)).toMatchObject({ zone_offset: null, local_offset: '+02:00' });
  });
});
