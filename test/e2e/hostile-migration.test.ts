import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchHealthd, newHome } from '../support/daemon.js';
import { databaseMs } from '../support/main-thread-time.js';
import { type OpenWearablesDatabase, openWearablesDatabase } from '../support/open-wearables/database.js';
import { idOf } from '../support/open-wearables/users.js';
import { createTestDatabase } from '../support/postgres.js';

/** Allowance for the cost of a source with little data. */
const FLOOR_MS = 2_000;
/** Maximum growth of the cost for ten times the data. n log n grows 13.3 times from 1,000 to 10,000. */
const MOST_GROWTH = 14;
const KEYS = {
  SECRET_KEY: 's'.repeat(32),
  SIGNING_KEY: 's'.repeat(32),
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
};

let there: OpenWearablesDatabase;
const source = idOf('source of hostile rows');
beforeAll(async () => {
  there = await openWearablesDatabase();
  const user = idOf('hostile');
  await there.add('user', [{ id: user, created_at: '2025-06-01T00:00:00Z' }]);
  await there.add('series_type_definition', [{ id: 1, code: 'heart_rate', unit: 'bpm' }]);
  await there.add('data_source', [{ id: source, user_id: user, provider: 'whoop', source: 'whoop' }]);
});
afterAll(() => there.drop());

const event = (category: string, id: string, start: string, end: string) =>
  `insert into event_record (id, created_at, external_id, data_source_id, category, source_name, start_datetime, end_datetime)
   select gen_random_uuid(), timestamptz '2025-05-01' + n * interval '1 second', ${id}, $2, '${category}', 'whoop',
          timestamptz '2025-03-09 23:00Z' + ${start}, timestamptz '2025-03-09 23:00Z' + ${end}
     from generate_series(1, $1::int) n`;

test.each([
  {
    name: 'readings of one second',
    counts: [1_000, 10_000, 100_000],
    rows: `insert into data_point_series (id, data_source_id, series_type_definition_id, recorded_at, zone_offset, value)
           select gen_random_uuid(), $2, 1, timestamptz '2025-01-01' + n * interval '1 microsecond', '+01:00', 50 + n % 70
             from generate_series(1, $1::int) n`,
  },
  {
    name: 'nested nights',
    counts: [1_000, 10_000, 100_000],
    rows: event('sleep', `'night ' || n`, `n * interval '100 ms'`, `interval '9 hours' - n * interval '100 ms'`),
  },
  {
    name: 'overlapping versions of one night',
    counts: [1_000, 10_000, 100_000],
    rows: event('sleep', `'night'`, `n * interval '100 ms'`, `interval '9 hours' + n * interval '100 ms'`),
  },
  {
    name: 'nights over many years with one ID',
    counts: [1_000, 10_000, 100_000],
    rows: event('sleep', `'night'`, `n * interval '-2 hours'`, `n * interval '-2 hours' + interval '1 hour'`),
  },
  {
    name: 'workouts of one instant',
    counts: [1_000, 10_000, 100_000],
    rows: event('workout', `'workout ' || n`, `interval '0'`, `interval '1 hour' + n * interval '100 ms'`),
  },
])('copies a source in n log n time: $name', async ({ name, counts, rows }) => {
  const costs: number[] = [];
  for (const count of counts) {
    await there.pool.query('truncate event_record, data_point_series cascade');
    await there.pool.query(rows, [count, source]);
    costs.push(await costOfMigration());
  }
  console.info(name, costs.join());
  for (const [at, cost] of costs.entries()) {
    if (at > 0) expect(cost).toBeLessThan(MOST_GROWTH * Math.max(FLOOR_MS, costs[at - 1] ?? 0));
  }
});

/** Copies the source into an empty database. @returns the total processor time of the program and the database */
async function costOfMigration(): Promise<number> {
  const target = await createTestDatabase();
  const client = await target.pool.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const pid = rows[0]?.pid ?? 0;
    const before = databaseMs(pid);
    const env = { ...KEYS, DATABASE_URL: target.url };
    const { child, output, ended } = launchHealthd(newHome(), ['migrate-from', there.url, '--yes'], env);
    let programMs = 0;
    const timer = setInterval(() => {
      programMs = processMs(child.pid ?? 0) ?? programMs;
    }, 50);
    const { code } = await ended.finally(() => clearInterval(timer));
    expect(code).toBe(0);
    expect(output.stdout).toContain('Copied.');
    return Math.round(programMs + databaseMs(pid) - before);
  } finally {
    client.release();
    await target.drop();
  }
}

/** Returns a process's processor time over all threads in milliseconds, or undefined once the process has ended. */
function processMs(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return undefined;
  }
}
