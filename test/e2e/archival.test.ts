import { join } from 'node:path';
import { writeExport } from '@healthd/simulators';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Daemon, inDatabase, newHome, startDaemon } from '../support/daemon.js';
import { extent } from '../support/extent.js';
import { healthChecksums } from '../support/health-tables.js';
import { importFile, newUser } from './imports.js';

const home = newHome();
const path = join(home.folder, 'export.zip');
const RANGE = 'start_date=2026-01-20&end_date=2026-04-10&limit=100';
let daemon: Daemon;

beforeAll(async () => {
  // Daylight saving time starts on March 29th.
  await writeExport(path, { endDate: '2026-04-04', days: extent(42, 65), density: 'normal' });
  daemon = await startDaemon({ home });
});
afterAll(() => daemon?.stop());

it('resumes a killed archival without changed responses or duplicate samples', async () => {
  const user = await newUser(daemon);
  await importFile(daemon, user, path);
  const before = await answers(user);
  const samples = await count('sample');

  await archiveAfterDays(1);
  await until(async () => (await count('user_archive', 'windows > 2')) > 0);
  await daemon.kill9();
  daemon = await startDaemon({ home });
  expect(await answers(user)).toEqual(before);
  await until(async () => (await count('archival_setting', 'next_run_at > now()')) > 0);

  expect(await count('sample')).toBeLessThan(samples / 5);
  expect(await answers(user)).toEqual(before);
  const archived = await inDatabase(home, (pool) => healthChecksums({ pool }));
  const again = await importFile(daemon, user, path);
  for (const [collection, counts] of Object.entries(again.stored)) {
    expect({ collection, ...counts }).toMatchObject({ collection, inserted: 0, updated: 0 });
  }
  expect(await inDatabase(home, (pool) => healthChecksums({ pool }))).toEqual(archived);
});

async function archiveAfterDays(days: number): Promise<void> {
  const form = new URLSearchParams({ username: daemon.email, password: daemon.password });
  const login = await fetch(`${daemon.url}/api/v1/auth/login`, { method: 'POST', body: form });
  const { access_token: token } = (await login.json()) as { access_token: string };
  const response = await fetch(`${daemon.url}/api/v1/settings/archival`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ archive_after_days: days }),
  });
  expect(response.status).toBe(200);
}

/** Returns the summaries, data gaps and workouts of all days. */
async function answers(user: string): Promise<Record<string, unknown>> {
  const read = async (query: string) => {
    const headers = { 'X-Service-API-Key': daemon.apiKey };
    const response = await fetch(`${daemon.url}/api/v1/users/${user}/${query}`, { headers });
    expect(response.status, query).toBe(200);
    return (await response.json()) as Record<string, unknown>;
  };
  return {
    activity: await read(`summaries/activity?${RANGE}`),
    merged: await read(`summaries/activity?${RANGE}&merge=interval`),
    sleep: await read(`summaries/sleep?${RANGE}`),
    recovery: await read(`summaries/recovery?${RANGE}`),
    data: await read('summaries/data'),
    // Clears the archive boundary, which changes when days are archived.
    gaps: { ...(await read('summaries/data/gaps')), archived_before: '' },
    workouts: await read(`events/workouts?${RANGE}`),
  };
}

function count(table: string, condition = 'true'): Promise<number> {
  return inDatabase(home, async (pool) => {
    const { rows } = await pool.query<{ n: number }>(`select count(*) as n from ${table} where ${condition}`);
    return rows[0]?.n ?? 0;
  });
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 120_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`it never came\n${daemon.output.stderr}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
