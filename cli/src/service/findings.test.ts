import { MS_PER_DAY } from '@healthd/model';
import type { ApiKeyResponse, SystemStatus, TroubleGroup } from '@healthd/schemas';
import { expect, test } from 'vitest';
import { judgeKeys } from './key-findings.js';
import { judgeSystem } from './system-findings.js';
import { diagnoseTrouble } from './trouble-findings.js';

const NOW_MS = Date.parse('2026-11-22T12:00:00Z');
const GIB = 1024 ** 3;

const STATUS: SystemStatus = {
  version: '0.3.0',
  node_version: '20.19.0',
  postgres_version: '17.6',
  started_at: '2026-11-22T11:00:00Z',
  database_clock_ahead_seconds: 0.004,
  disks: [{ holds: 'uploads', free_bytes: 20 * GIB, capacity_bytes: 50 * GIB }],
  job_store: { kind: 'postgres', is_up: true },
  jobs: [{ name: 'pull', waiting: 0, scheduled: 3, running: 1, failing: 0, oldest_waiting_since: null }],
  sealed: [{ key_id: 'aaaa1111', values: 4, is_current: true, is_known: true }],
  feed: { is_on: false, has_other_setting: false, waiting: 0, oldest_waiting_since: null },
  repairs: [],
  unproven_deliveries: [],
};

const found = (change: Partial<SystemStatus>, check: string) =>
  judgeSystem({ ...STATUS, ...change }, NOW_MS).find((finding) => finding.check === check);

test('reports no problems for a healthy service', () => {
  expect(judgeSystem(STATUS, NOW_MS).map(({ state }) => state)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'ok']);
});

test('warns if a disk has less than 1 GiB left', () => {
  const disk = (free_bytes: number) => [{ holds: 'database', free_bytes, capacity_bytes: 50 * GIB }] as const;
  expect(found({ disks: [...disk(GIB - 1)] }, 'room')).toMatchObject({ state: 'warning' });
  expect(found({ disks: [...disk(GIB)] }, 'room')).toMatchObject({ state: 'ok' });
});

test('reports one finding if uploads and database share a disk', () => {
  const [uploads] = STATUS.disks;
  const both = judgeSystem({ ...STATUS, disks: [...STATUS.disks, { ...uploads!, holds: 'database' }] }, NOW_MS);
  expect(both.filter(({ check }) => check === 'room')).toMatchObject([
    { found: '21.5 GB of 53.7 GB free for uploads and the database' },
  ]);
});

test('warns if the database clock differs by more than 30 seconds', () => {
  expect(found({ database_clock_ahead_seconds: 30 }, 'db clock')).toMatchObject({ state: 'ok' });
  expect(found({ database_clock_ahead_seconds: 31 }, 'db clock')?.found).toContain('31 s ahead of');
  expect(found({ database_clock_ahead_seconds: -90 }, 'db clock')?.found).toContain('1 min 30 s behind');
});

test('warns about late jobs', () => {
  const waiting = (oldest_waiting_since: string) => [
    { name: 'pull', waiting: 2, scheduled: 0, running: 0, failing: 0, oldest_waiting_since: '2026-11-22T11:59:59Z' },
    { name: 'import', waiting: 5, scheduled: 0, running: 0, failing: 1, oldest_waiting_since },
  ];
  expect(found({ jobs: waiting('2026-11-22T11:51:00Z') }, 'job lag')).toMatchObject({ state: 'ok' });
  expect(found({ jobs: waiting('2026-11-22T11:50:00Z') }, 'job lag')).toMatchObject({
    state: 'warning',
    found: '7 jobs due; the oldest (import) has waited 10 min 00 s',
  });
});

test('fails if the job store is unreachable', () => {
  expect(found({ jobs: [], job_store: { kind: 'mongodb', is_up: false } }, 'job lag')).toMatchObject({
    state: 'failed',
  });
});

test('fails only for values that no ENCRYPTION_KEY decrypts', () => {
  const older = { key_id: 'bbbb2222', values: 3, is_current: false, is_known: true };
  expect(found({ sealed: [...STATUS.sealed, older] }, 'secrets')).toMatchObject({
    state: 'ok',
    found: expect.stringContaining('3 of them with an older key'),
  });
  expect(found({ sealed: [...STATUS.sealed, { ...older, is_known: false }] }, 'secrets')).toMatchObject({
    state: 'failed',
    code: 'key_missing',
    found: expect.stringContaining('3 values cannot be decrypted: encrypted with the key bbbb2222'),
  });
});

test('warns about an unfinished repair only if users failed', () => {
  const repair = { name: 'night_sources', title: 'Rebuilding nights', users_done: 1204, users_total: 9800 };
  const started = { ...repair, users_failed: 0, started_at: '2026-11-22T11:00:00Z', finished_at: null };
  expect(found({ repairs: [started] }, 'repairs')).toMatchObject({
    state: 'ok',
    found: 'Rebuilding nights: 1,204 of 9,800 users',
  });
  expect(found({ repairs: [{ ...started, users_failed: 3 }] }, 'repairs')).toMatchObject({ state: 'warning' });
  expect(found({ repairs: [{ ...started, finished_at: '2026-11-22T11:30:00Z' }] }, 'repairs')).toBeUndefined();
});

test('warns if the feed lags by a minute', () => {
  const state = { is_on: true, has_other_setting: false, waiting: 3 };
  const lagging = (oldest_waiting_since: string | null) => ({ ...state, oldest_waiting_since });
  expect(found({ feed: lagging(null) }, 'feed')).toMatchObject({ state: 'ok' });
  expect(found({ feed: lagging('2026-11-22T11:59:01Z') }, 'feed')).toMatchObject({ state: 'ok' });
  expect(found({ feed: lagging('2026-11-22T11:59:00Z') }, 'feed')).toMatchObject({
    state: 'warning',
    found: 'on; 3 changes not in the feed yet; the oldest has waited 1 min 00 s',
  });
});

test('reports whether the feed is on', () => {
  const state = { has_other_setting: false, waiting: 0, oldest_waiting_since: null };
  expect(found({ feed: { ...state, is_on: true } }, 'feed')?.found).toBe('on, and contains all changes');
  expect(found({ feed: { ...state, is_on: false } }, 'feed')).toMatchObject({
    state: 'ok',
    found: 'off: changes are not recorded',
  });
});

test('fails if the FEED setting of this process contradicts the feed', () => {
  const feed = { is_on: true, has_other_setting: true, waiting: 0, oldest_waiting_since: null };
  expect(found({ feed }, 'feed')).toMatchObject({
    state: 'failed',
    found: 'FEED=off in this process, but another process has turned the feed on',
    code: 'feed_setting_differs',
  });
});

const KEY: ApiKeyResponse = {
  id: '11111111-2222-4333-8444-555555555555',
  name: 'Backend',
  prefix: 'sk-ab12',
  last_four: '77f0',
  scopes: null,
  created_by: null,
  created_at: '2026-01-01T00:00:00Z',
  last_used_at: '2026-11-21T00:00:00Z',
  expires_at: null,
  replaced_by: null,
};
const inDays = (days: number) => new Date(NOW_MS + days * MS_PER_DAY).toISOString();

test('warns about keys without expiry only after 90 unused days', () => {
  expect(judgeKeys([KEY, { ...KEY, created_at: inDays(-1), last_used_at: null }], NOW_MS)).toMatchObject([
    { state: 'ok', found: '2 keys (2 never expire), none unused for 90 days' },
  ]);
  for (const unused of [{ last_used_at: null }, { last_used_at: inDays(-91) }]) {
    expect(judgeKeys([{ ...KEY, ...unused }], NOW_MS)).toMatchObject([
      { state: 'warning', advice: `healthctl keys revoke ${KEY.id}` },
    ]);
  }
});

test('warns about keys that expire within two weeks', () => {
  expect(judgeKeys([{ ...KEY, expires_at: inDays(13) }], NOW_MS)).toMatchObject([
    {
      state: 'warning',
      advice: `healthctl keys create --name Backend --expires <time>; once everything uses the new key: healthctl keys revoke ${KEY.id}`,
    },
  ]);
  const [{ advice } = { advice: '' }] = judgeKeys(
    [{ ...KEY, name: "Ben's phone", scopes: ['read', 'write'], expires_at: inDays(1) }],
    NOW_MS,
  );
  expect(advice).toContain(String.raw`keys create --name 'Ben'\''s phone' --scopes read,write --expires <time>`);
  expect(judgeKeys([{ ...KEY, expires_at: inDays(15) }], NOW_MS)).toMatchObject([{ state: 'ok' }]);
  expect(judgeKeys([{ ...KEY, expires_at: inDays(-1), last_used_at: null }], NOW_MS)).toMatchObject([{ state: 'ok' }]);
});

test('does not warn about a rotated key whose successor expires later', () => {
  const successor = { ...KEY, id: '99999999-2222-4333-8444-555555555555', created_at: inDays(-1), last_used_at: null };
  const old = { ...KEY, expires_at: inDays(2), replaced_by: successor.id };
  expect(judgeKeys([old, successor], NOW_MS)).toMatchObject([{ state: 'ok' }]);
  expect(judgeKeys([old, { ...successor, expires_at: inDays(300) }], NOW_MS)).toMatchObject([{ state: 'ok' }]);
  for (const keys of [
    [old],
    [old, { ...successor, expires_at: inDays(1) }],
    [{ ...old, replaced_by: null }, successor],
  ]) {
    const findings = judgeKeys(keys, NOW_MS);
    expect(findings.map(({ found }) => found)).toContainEqual(expect.stringContaining(`expires at ${old.expires_at}`));
  }
});

const GROUP: TroubleGroup = {
  provider: 'garmin',
  provider_name: 'Garmin',
  cause: 'consent_ended',
  severity: 'problem',
  remedy: 'send_connect_link',
  connections: 12,
  first_since: null,
  last_since: null,
  details: [],
  trend: [],
};

test('warns about ended consents and silent vendors by provider', () => {
  const silent = {
    ...GROUP,
    provider: 'oura',
    provider_name: 'Oura',
    cause: 'webhook_silent',
    connections: 1,
  } as const;
  expect(diagnoseTrouble({ groups: [GROUP, silent, { ...GROUP, cause: 'quota_spent' }] })).toMatchObject([
    {
      check: 'consents',
      state: 'warning',
      found: 'Garmin: the consent has ended for 12 users',
      advice: 'healthctl trouble users consent_ended --provider garmin',
    },
    { check: 'accounts', state: 'ok' },
    { check: 'webhooks', state: 'warning', advice: 'healthctl trouble users webhook_silent --provider oura' },
  ]);
  expect(diagnoseTrouble({ groups: [{ ...GROUP, cause: 'not_linked' }] })).toContainEqual(
    expect.objectContaining({ check: 'accounts', state: 'warning' }),
  );
  expect(diagnoseTrouble({ groups: [] }).map(({ state }) => state)).toEqual(['ok', 'ok', 'ok']);
});

const UNPROVEN = {
  provider: 'garmin',
  setting: 'GARMIN_WEBHOOK_TOKEN',
  is_set: false,
  address: 'https://health.example.org/webhooks?token=<GARMIN_WEBHOOK_TOKEN>',
  refused: 3,
  first_refused_on: '2026-11-20',
  last_refused_at: '2026-11-22T11:00:00Z',
  connections_to_backfill: 2,
};

test("fails if a vendor's deliveries cannot be verified", () => {
  expect(found({ unproven_deliveries: [UNPROVEN] }, 'deliveries')).toMatchObject({
    state: 'failed',
    found: expect.stringContaining('GARMIN_WEBHOOK_TOKEN is not set'),
    advice: expect.stringContaining(UNPROVEN.address),
  });
});

test('warns about the gap left by rejected deliveries', () => {
  expect(found({ unproven_deliveries: [{ ...UNPROVEN, is_set: true }] }, 'deliveries')).toMatchObject({
    state: 'warning',
    advice: expect.stringContaining('healthctl sync historical'),
  });
});
