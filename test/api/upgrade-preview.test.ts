import { archiveOldData } from '@healthd/daemon/retention';
import { type HealthRecord, MS_PER_DAY, type SourceIdentity } from '@healthd/model';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordedUser, writeRecords } from '../support/recorded-user.js';
import { GARMIN, PHONE, sample, WATCH } from '../support/records.js';
import { type Call, startTestService, type TestService } from '../support/service.js';

const OURA: SourceIdentity = { provider: 'oura', deviceModel: 'Oura Ring Gen3', deviceType: 'ring', account: 'o1' };

let service: TestService;
let developer: Call;
beforeAll(async () => {
  service = await startTestService();
  developer = (await service.logIn()).call;
});
afterAll(() => service.stop());

const preview = async () => (await developer('GET', '/api/v1/priorities/upgrade')).body;

function night(source: SourceIdentity, start: string, end: string): HealthRecord {
  const [startMs, endMs] = [Date.parse(start), Date.parse(end)];
  return {
    kind: 'sleep_session',
    source,
    startMs,
    endMs,
    isNap: false,
    offsetMinutes: 0,
    asleepSeconds: (endMs - startMs) / 1000,
  };
}

test('compares nothing without data from before the upgrade', async () => {
  await recordedUser(
    service,
    sample('steps', '2026-03-10T08:00:00Z', 4_200, { source: PHONE }),
    sample('steps', '2026-03-10T08:00:00Z', 9_000, { source: GARMIN }),
  );
  expect(await preview()).toMatchObject({ upgraded_at: null, users_concerned: 0, days: 0, days_changed: 0 });
});

test('counts days and nights that the upgrade moved to another source', async () => {
  const { userKey } = await recordedUser(
    service,
    // The phone's provider ranked higher before the upgrade, but the phone has much less data.
    sample('steps', '2026-03-10T08:00:00Z', 4_200, { source: PHONE }),
    sample('steps', '2026-03-10T08:00:00Z', 9_000, { source: GARMIN }),
    // The phone has enough data, but is not a wearable.
    sample('steps', '2026-03-11T08:00:00Z', 7_000, { source: PHONE }),
    sample('steps', '2026-03-11T08:00:00Z', 9_000, { source: GARMIN }),
    // The same source before and after.
    sample('steps', '2026-03-12T08:00:00Z', 9_100, { source: WATCH }),
    sample('steps', '2026-03-12T08:00:00Z', 9_000, { source: GARMIN }),
    // Not compared, because the day is after the upgrade.
    sample('steps', '2026-03-14T08:00:00Z', 4_200, { source: PHONE }),
    sample('steps', '2026-03-14T08:00:00Z', 9_000, { source: GARMIN }),
    night(WATCH, '2026-03-09T23:00:00Z', '2026-03-10T02:00:00Z'),
    night(OURA, '2026-03-09T23:00:00Z', '2026-03-10T06:00:00Z'),
    night(WATCH, '2026-03-10T23:00:00Z', '2026-03-11T06:00:00Z'),
    night(OURA, '2026-03-10T23:00:00Z', '2026-03-11T06:30:00Z'),
  );
  await service.pool.query(
    "update schema_migration set applied_at = '2026-03-13T12:00:00Z' where name = '2026-11-28_01_accounts'",
  );
  await service.pool.query("update data_source set created_at = '2026-03-01T00:00:00Z' where user_key = $1", [userKey]);
  expect(await preview()).toEqual({
    upgraded_at: '2026-03-13T12:00:00Z',
    users_compared: 1,
    users_concerned: 1,
    days: 3,
    days_changed: 2,
    merged_days: 0,
    merged_days_changed: 0,
    nights: 2,
    nights_changed: 1,
    nights_archived: 0,
    recoveries: 0,
    recoveries_changed: 0,
    recoveries_archived: 0,
    body_summaries: 0,
    body_summaries_changed: 0,
    reasons: [
      { reason: 'too_little', days: 1, nights: 1, recoveries: 0, body_summaries: 0 },
      { reason: 'lower_class', days: 1, nights: 0, recoveries: 0, body_summaries: 0 },
    ],
  });
});

test('counts recovery dates whose figures changed their provider', async () => {
  const before = await preview();
  const ofDate = (date: string, records: HealthRecord[]) =>
    records.map(
      (record) => ({ ...record, startMs: Date.parse(`${date}T06:00:00Z`), offsetMinutes: 0 }) as HealthRecord,
    );
  const resting = (source: SourceIdentity) => sample('resting_heart_rate', '2026-03-10T06:00:00Z', 50, { source });
  const hrv = (source: SourceIdentity) =>
    sample('heart_rate_variability_rmssd', '2026-03-10T06:00:00Z', 60, { source });
  const { userKey } = await recordedUser(
    service,
    // Before, the provider with both figures won. Now each figure has its own winner.
    ...ofDate('2026-03-10', [resting(WATCH), resting(OURA), hrv(OURA)]),
    // The same provider before and after.
    ...ofDate('2026-03-11', [resting(WATCH), hrv(WATCH), resting(OURA), hrv(OURA)]),
  );
  await service.pool.query("update data_source set created_at = '2026-03-01T00:00:00Z' where user_key = $1", [userKey]);
  const after = await preview();
  expect(after).toMatchObject({
    recoveries: before.recoveries + 2,
    recoveries_changed: before.recoveries_changed + 1,
    recoveries_archived: before.recoveries_archived,
  });
  const reason = after.reasons.find(({ reason }: { reason: string }) => reason === 'lower_provider_priority');
  expect(reason).toEqual({ reason: 'lower_provider_priority', days: 0, nights: 0, recoveries: 1, body_summaries: 0 });
});

test('counts body summaries whose averages have another source', async () => {
  const before = await preview();
  const yesterday = new Date(Date.now() - MS_PER_DAY).toISOString().slice(0, 10);
  const resting = (source: SourceIdentity) =>
    sample('resting_heart_rate', `${yesterday}T06:00:00Z`, 50, { source, offsetMinutes: 0 });
  const { userKey } = await recordedUser(
    service,
    night(OURA, `${yesterday}T00:00:00Z`, `${yesterday}T06:30:00Z`),
    resting(WATCH),
    resting(OURA),
  );
  await service.pool.query("update data_source set created_at = '2026-03-01T00:00:00Z' where user_key = $1", [userKey]);
  const after = await preview();
  expect(after).toMatchObject({
    body_summaries: before.body_summaries + 1,
    body_summaries_changed: before.body_summaries_changed + 1,
  });
  const reason = after.reasons.find(({ reason }: { reason: string }) => reason === 'other_provider_leads');
  expect(reason).toMatchObject({ body_summaries: 1 });
});

test('counts days whose merged sources changed their order', async () => {
  const before = await preview();
  const second = { ...WATCH, deviceModel: 'Watch7,1' };
  const steps = (source: SourceIdentity, time: string, value: number) =>
    sample('steps', `2026-03-${time}:00Z`, value, { source, minutes: 60, offsetMinutes: 0 });
  const { userKey } = await recordedUser(
    service,
    // The first watch covers more hours, and the second watch has more steps.
    ...[steps(WATCH, '10T08:00', 100), steps(WATCH, '10T10:00', 100), steps(second, '10T08:00', 900)],
    // The same order before and after.
    ...[steps(WATCH, '11T08:00', 900), steps(WATCH, '11T10:00', 100), steps(second, '11T08:00', 100)],
    // Sources of two accounts are not merged.
    ...[steps(WATCH, '12T08:00', 900), steps(GARMIN, '12T08:00', 100)],
  );
  await service.pool.query("update data_source set created_at = '2026-03-01T00:00:00Z' where user_key = $1", [userKey]);
  expect(await preview()).toMatchObject({
    merged_days: before.merged_days + 2,
    merged_days_changed: before.merged_days_changed + 1,
  });
});

test('counts archived nights with the earlier source separately', async () => {
  const { userKey } = await recordedUser(
    service,
    night(WATCH, '2026-03-09T23:00:00Z', '2026-03-10T02:00:00Z'),
    sample('heart_rate', '2026-03-10T01:00:00Z', 55, { source: WATCH, offsetMinutes: 0 }),
  );
  await archiveOldData({
    ...service.parts,
    settings: { archiveAfterDays: 1, deleteAfterDays: null },
    nowMs: Date.parse('2026-03-13T00:00:00Z'),
    log: { error: (fields: object) => expect(fields).toBeUndefined() },
  });
  const before = await preview();
  await writeRecords(service, userKey, [night(OURA, '2026-03-09T23:00:00Z', '2026-03-10T06:00:00Z')]);
  await service.pool.query("update data_source set created_at = '2026-03-01T00:00:00Z' where user_key = $1", [userKey]);
  expect(await preview()).toMatchObject({
    nights: before.nights + 1,
    nights_changed: before.nights_changed,
    nights_archived: before.nights_archived + 1,
  });
});
