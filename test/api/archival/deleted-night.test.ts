import { archiveOldData } from '@healthd/daemon/retention';
import { batchOf, type HealthRecord, MS_PER_DAY, type SourceIdentity } from '@healthd/model';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordWriter } from '../../support/recorded-user.js';
import { GARMIN, samplesEvery, WATCH } from '../../support/records.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const session = (source: SourceIdentity, externalId: string, start: string, end: string): HealthRecord => ({
  kind: 'sleep_session',
  source,
  externalId,
  startMs: Date.parse(start),
  endMs: Date.parse(end),
  offsetMinutes: 0,
  isNap: false,
});
const rates = (source: SourceIdentity, start: string, bpm: number) =>
  samplesEvery('heart_rate', start, 10, Array<number>(6).fill(bpm), { source, offsetMinutes: 0 });

test.each([
  ['ends on the date of the night', '2026-03-10T00:10:00Z', 430],
  ["has the date of another source's copy", '2026-03-09T23:30:00Z', 390],
])('deletes archived heart rates with the part of a night that %s', async (_, eveningEnd, minutes) => {
  const { id } = (await service.call('POST', '/api/v1/users')).body;
  const user = await service.users.find(id);
  const records = [
    session(WATCH, 'evening', '2026-03-09T22:00:00Z', eveningEnd),
    session(WATCH, 'morning', '2026-03-10T01:00:00Z', '2026-03-10T06:00:00Z'),
    ...rates(WATCH, '2026-03-09T22:10:00Z', 90),
    ...rates(WATCH, '2026-03-10T02:00:00Z', 50),
    session(GARMIN, 'whole', '2026-03-09T22:00:00Z', '2026-03-10T04:00:00Z'),
    ...rates(GARMIN, '2026-03-10T02:00:00Z', 55),
  ];
  await recordWriter(service).write(user?.userKey ?? 0, batchOf(records));
  await archiveOldData({
    ...service.parts,
    settings: { archiveAfterDays: 1, deleteAfterDays: null },
    nowMs: Date.parse('2026-03-20T00:00:00Z') + MS_PER_DAY,
    log: { error: (fields: object) => expect(fields).toBeUndefined() },
  });
  const night = async () =>
    (await service.call('GET', `/api/v1/users/${id}/summaries/sleep?start_date=2026-03-10&end_date=2026-03-11`)).body
      .data[0];
  expect(await night()).toMatchObject({ duration_minutes: minutes, avg_heart_rate_bpm: 70 });
  const listed = await service.call(
    'GET',
    `/api/v1/users/${id}/events/sleep?start_date=2026-03-09&end_date=2026-03-11`,
  );
  const evening = listed.body.data.find(
    (one: { start_time: string; source: { provider: string } }) =>
      one.start_time === '2026-03-09T22:00:00Z' && one.source.provider === 'apple',
  );
  expect((await service.call('DELETE', `/api/v1/users/${id}/events/sleep/${evening.id}`)).status).toBe(204);
  // Garmin's night keeps its own archived readings.
  const { rows } = await service.pool.query(
    `select a.asleep_sum / a.asleep_count as bpm, s.provider
       from night_archive a join data_source s on s.user_key = a.user_key and s.source_id = a.night_source_id
      where a.user_key = $1 and a.source_id = a.night_source_id`,
    [user?.userKey],
  );
  expect(rows).toContainEqual({ bpm: 55, provider: 'garmin' });
  expect(rows).not.toContainEqual({ bpm: 90, provider: 'apple' });
  expect(rows).not.toContainEqual({ bpm: 70, provider: 'apple' });
  expect((await night()).avg_heart_rate_bpm).not.toBe(70);
});
