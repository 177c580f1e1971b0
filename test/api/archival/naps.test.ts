import { archiveOldData } from '@healthd/daemon/retention';
import { batchOf, type HealthRecord, type SourceIdentity } from '@healthd/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordWriter } from '../../support/recorded-user.js';
import { GARMIN, samplesEvery, WATCH } from '../../support/records.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const session = (source: SourceIdentity, start: string, end: string, isNap: boolean): HealthRecord => ({
  kind: 'sleep_session',
  source,
  externalId: `${source.provider} ${start}`,
  startMs: Date.parse(start),
  endMs: Date.parse(end),
  asleepSeconds: (Date.parse(end) - Date.parse(start)) / 1000,
  offsetMinutes: 0,
  isNap,
});
const rates = (source: SourceIdentity, start: string, bpm: number) =>
  samplesEvery('heart_rate', start, 10, Array<number>(6).fill(bpm), { source, offsetMinutes: 0 });

/** Creates a user with the records. */
async function userWith(records: HealthRecord[]) {
  const { id } = (await service.call('POST', '/api/v1/users')).body;
  const { userKey } = (await service.users.find(id))!;
  await recordWriter(service).write(userKey, batchOf(records));
  const path = `/api/v1/users/${id}`;
  const range = 'start_date=2026-03-09&end_date=2026-03-12';
  return {
    write: (late: HealthRecord[]) => recordWriter(service).write(userKey, batchOf(late)),
    night: async () => (await service.call('GET', `${path}/summaries/sleep?${range}`)).body.data[0],
    remove: async (start: string, provider: string) => {
      const { data } = (await service.call('GET', `${path}/events/sleep?${range}`)).body;
      const found = data.find(
        (one: { start_time: string; source: { provider: string } }) =>
          one.start_time === start && one.source.provider === provider,
      );
      expect((await service.call('DELETE', `${path}/events/sleep/${found.id}`)).status).toBe(204);
    },
    archived: async () =>
      (
        await service.pool.query<{ bpm: number; provider: string }>(
          `select a.window_sum / a.window_count as bpm, s.provider
             from night_archive a join data_source s on s.user_key = a.user_key and s.source_id = a.night_source_id
            where a.user_key = $1 and a.source_id = a.night_source_id order by s.provider`,
          [userKey],
        )
      ).rows,
  };
}

const archive = () =>
  archiveOldData({
    ...service.parts,
    settings: { archiveAfterDays: 1, deleteAfterDays: null },
    nowMs: Date.parse('2026-03-20T00:00:00Z'),
    log: { error: (fields: object) => expect(fields).toBeUndefined() },
  });

describe('a nap that another source recorded as a night', () => {
  const records = [
    session(WATCH, '2026-03-09T22:00:00Z', '2026-03-10T05:00:00Z', true),
    ...rates(WATCH, '2026-03-10T02:00:00Z', 50),
    session(GARMIN, '2026-03-09T22:00:00Z', '2026-03-10T04:00:00Z', false),
    ...rates(GARMIN, '2026-03-10T02:00:00Z', 55),
  ];
  const shown = { duration_minutes: 420, nap_count: 0, avg_heart_rate_bpm: 50, source: { provider: 'apple' } };

  it('keeps its heart rate after archival', async () => {
    const { night } = await userWith(records);
    expect(await night()).toMatchObject(shown);
    await archive();
    expect(await night()).toMatchObject(shown);
  });

  it('loses its archived heart rates when the nap is deleted', async () => {
    const { archived, remove } = await userWith(records);
    await archive();
    const garmin = { bpm: 55, provider: 'garmin' };
    expect(await archived()).toEqual([{ bpm: 50, provider: 'apple' }, garmin]);
    await remove('2026-03-09T22:00:00Z', 'apple');
    expect(await archived()).toEqual([garmin]);
  });

  it("counts in the archived heart rate of its source's night", async () => {
    const { night } = await userWith([
      session(WATCH, '2026-03-09T22:00:00Z', '2026-03-10T05:00:00Z', false),
      ...rates(WATCH, '2026-03-10T02:00:00Z', 50),
      session(WATCH, '2026-03-10T12:00:00Z', '2026-03-10T15:00:00Z', true),
      ...rates(WATCH, '2026-03-10T13:00:00Z', 90),
      session(GARMIN, '2026-03-10T12:00:00Z', '2026-03-10T16:00:00Z', false),
    ]);
    const both = { duration_minutes: 600, avg_heart_rate_bpm: 70, source: { provider: 'apple' } };
    expect(await night()).toMatchObject(both);
    await archive();
    expect(await night()).toMatchObject(both);
  });
});

describe('a sleep that is a nap because of its time of day', () => {
  const records = [
    session(WATCH, '2026-03-10T01:00:00Z', '2026-03-10T03:50:00Z', false),
    ...rates(WATCH, '2026-03-10T02:00:00Z', 50),
    session(WATCH, '2026-03-10T12:00:00Z', '2026-03-10T14:00:00Z', false),
    ...rates(WATCH, '2026-03-10T12:30:00Z', 90),
    session(GARMIN, '2026-03-10T01:00:00Z', '2026-03-10T04:20:00Z', false),
  ];
  const shown = { duration_minutes: 170, nap_count: 1, avg_heart_rate_bpm: 50, source: { provider: 'apple' } };

  it('adds nothing to the archived heart rate of the night', async () => {
    const { night } = await userWith(records);
    expect(await night()).toMatchObject(shown);
    await archive();
    expect(await night()).toMatchObject(shown);
  });

  it('adds nothing to the archived heart rate after a late arrival', async () => {
    const isNap = ({ startMs }: { startMs: number }) => startMs >= Date.parse('2026-03-10T12:00:00Z');
    const { night, write } = await userWith(records.filter((record) => !isNap(record as { startMs: number })));
    await archive();
    await write(records.filter((record) => isNap(record as { startMs: number })));
    expect(await night()).toMatchObject(shown);
    await archive();
    expect(await night()).toMatchObject(shown);
  });

  it("leaves the night's archived heart rates when the nap is deleted", async () => {
    const { archived, night, remove } = await userWith(records);
    await archive();
    await remove('2026-03-10T12:00:00Z', 'apple');
    expect(await archived()).toContainEqual({ bpm: 50, provider: 'apple' });
    expect(await night()).toMatchObject({ ...shown, nap_count: 0 });
  });
});

describe('a night that seven sources recorded', () => {
  it("keeps the selected source's heart rate although its sleep is shortest", async () => {
    const others = ['garmin', 'polar', 'suunto', 'whoop', 'oura', 'ultrahuman'] as const;
    const { night } = await userWith([
      ...others.map((provider) =>
        session({ provider, deviceType: 'watch' }, '2026-03-09T22:00:00Z', '2026-03-10T05:00:00Z', false),
      ),
      session(WATCH, '2026-03-09T22:00:00Z', '2026-03-10T04:00:00Z', false),
      ...rates(WATCH, '2026-03-10T02:00:00Z', 50),
    ]);
    const shown = { duration_minutes: 360, avg_heart_rate_bpm: 50, source: { provider: 'apple' } };
    expect(await night()).toMatchObject(shown);
    await archive();
    expect(await night()).toMatchObject(shown);
  });
});
