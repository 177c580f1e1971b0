import { archiveOldData } from '@healthd/daemon/retention';
import { archiveUser, ensureStatistics } from '@healthd/daemon/store/archive';
import { fromDayNumber, type HealthRecord, type SourceIdentity } from '@healthd/model';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type ArchivalFixture,
  HEART_RATE,
  type LivedDatabase,
  NOW_MS,
  openArchival,
  openLivedDatabase,
  TODAY,
} from '../../support/archival-fixture.js';
import { livedDays } from '../../support/lived-days.js';
import { PHONE, WATCH } from '../../support/records.js';

const DAYS = 36;
const FROM = fromDayNumber(TODAY - DAYS - 2);
/** Two devices of one account of a vendor that forbids archiving. */
const GOOGLE_WATCH: SourceIdentity = { provider: 'google', account: 'g1', deviceModel: 'Watch G', deviceType: 'watch' };
const GOOGLE_PHONE: SourceIdentity = { provider: 'google', account: 'g1', deviceModel: 'Phone G', deviceType: 'phone' };

/** Returns Apple's days, and the same days in Google's cloud with other values. */
function months(): HealthRecord[] {
  return livedDays(TODAY - DAYS, DAYS).flatMap((record): HealthRecord[] => {
    if (record.kind !== 'sample' || (record.source !== WATCH && record.source !== PHONE)) return [record];
    const source = record.source === WATCH ? GOOGLE_WATCH : GOOGLE_PHONE;
    return [record, { ...record, source, value: record.value + 1 }];
  });
}

let lived: LivedDatabase;
let fixture: ArchivalFixture;
beforeAll(async () => {
  lived = await openLivedDatabase({ records: months() });
});
afterAll(() => lived.drop());
beforeEach(async () => {
  fixture = await openArchival(lived);
});
afterEach(() => fixture.stop());

async function samplesOf(provider: string): Promise<number> {
  const { rows } = await fixture.pool.query<{ n: number }>(
    `select count(*)::int4 as n from sample join data_source using (user_key, source_id)
      where provider = $1 and type_id = $2 and start_at < to_timestamp($3) - interval '7 days'`,
    [provider, HEART_RATE, NOW_MS / 1000],
  );
  return rows[0]?.n ?? -1;
}

const setTerm = (archive: object | null) =>
  fixture.developer('PATCH', '/api/v1/providers/google/settings', { terms: { archive } });
const ALLOWED = { value: 'allow', reason: 'Written permission' };

/** Returns summaries with either provider first, and with merged totals recomputed from the stored data. */
async function summaries() {
  await fixture.pool.query('delete from day_merged');
  const responses = [];
  for (const priority of [1, 100]) {
    await fixture.developer('PUT', '/api/v1/priorities/providers/google', { priority });
    responses.push(await fixture.summaries(FROM));
  }
  expect(responses[0]).not.toEqual(responses[1]);
  return responses;
}

test('archives no sample of a vendor that forbids archiving', async () => {
  const before = await summaries();
  const googleSamples = await samplesOf('google');
  expect(googleSamples).toBeGreaterThan(1000);
  for (const live of [5, 5, 4, 3]) {
    await fixture.archive(live);
    expect(await summaries()).toEqual(before);
  }
  expect(await samplesOf('google')).toBe(googleSamples);
  expect(await samplesOf('apple')).toBe(0);
});

test('skips archival windows that an earlier run already read', async () => {
  const windows: string[] = [];
  const neverArchived = async () => {
    windows.push('');
    return ['google'];
  };
  await ensureStatistics(fixture.pool);
  const archive = async () => {
    windows.length = 0;
    const options = { beforeDay: TODAY - 3, neverArchived, compare: () => 0, deviceOrder: 0 };
    const removed = await archiveUser(fixture.pool, fixture.user.userKey, options);
    return { removed, windows: windows.length };
  };
  const { rows } = await fixture.pool.query<{ n: number }>(
    `select count(distinct type_id)::int4 as n from day_value join data_source using (user_key, source_id)
      where provider <> 'google' and sample_count > 0`,
  );
  const types = rows[0]?.n ?? 0;
  const first = await archive();
  expect(first.removed).toBeGreaterThan(1000);
  expect(first.windows).toBeLessThan(types * (DAYS / 7 + 2));
  const second = await archive();
  expect(second.removed).toBe(0);
  expect(second.windows).toBeLessThan(types + 2);
});

test('keeps all figures when the operator allows, then forbids archiving', async () => {
  const before = await summaries();
  const googleSamples = await samplesOf('google');
  await setTerm(ALLOWED);
  await fixture.archive(28);
  expect(await samplesOf('google')).toBeLessThan(googleSamples);
  expect(await summaries()).toEqual(before);
  await setTerm(null);
  const left = await samplesOf('google');
  for (const live of [27, 14]) {
    await fixture.archive(live);
    expect(await summaries()).toEqual(before);
  }
  expect(await samplesOf('google')).toBe(left);
  await setTerm(ALLOWED);
  for (const live of [9, 3]) {
    await fixture.archive(live);
    expect(await summaries()).toEqual(before);
  }
  expect(await samplesOf('google')).toBe(0);
});

test('previews only samples that archiving would remove', async () => {
  const preview = async () =>
    (await fixture.developer('GET', '/api/v1/settings/archival/preview?archive_after_days=3')).body.archive;
  const expected = (await preview()).samples;
  await setTerm(ALLOWED);
  expect((await preview()).samples).toBeGreaterThan(expected * 1.5);
  await setTerm(null);
  const { archivedSamples } = await fixture.archive(3);
  // Intervals across the last midnight remain until the next day is archived.
  expect(expected - archivedSamples).toBeGreaterThanOrEqual(0);
  expect(expected - archivedSamples).toBeLessThan(20);
  expect((await preview()).samples).toBe(expected - archivedSamples);
});

test('still deletes never-archived data by age', async () => {
  const googleSamples = await samplesOf('google');
  expect(googleSamples).toBeGreaterThan(0);
  await archiveOldData({
    ...fixture.service.parts,
    neverArchived: async () => ['google'],
    settings: { archiveAfterDays: 3, deleteAfterDays: 5 },
    nowMs: NOW_MS,
    log: { error: (fields) => expect(fields).toBeUndefined() },
  });
  expect(await samplesOf('google')).toBe(0);
});
