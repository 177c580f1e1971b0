import { listAuditEvents } from '@healthd/daemon/audit';
import { listAllConnections } from '@healthd/daemon/connections';
import { listRuns, type RunFilter } from '@healthd/daemon/runs';
import { Users } from '@healthd/daemon/users';
import { MS_PER_DAY } from '@healthd/model';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storePeople } from '../bench/console/stored-users.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const PEOPLE = 10_000;
const LIMIT = 50;
/** Maximum number of rows of one table that a page may read: the page's own rows and some filtered rows. */
const MOST_ROWS = 20 * LIMIT;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ maxConnections: 2 });
  await storePeople(database.pool, PEOPLE);
});
afterAll(async () => database.drop());

interface Plan {
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

function* nodesOf(plan: Plan): Generator<Plan> {
  yield plan;
  for (const child of plan.Plans ?? []) yield* nodesOf(child);
}

/** Returns the maximum number of rows that a statement of `work` read from one table, including filtered rows. */
async function maxRowsRead(
  work: (pool: pg.Pool) => Promise<unknown>,
  isMeasured: (text: string) => boolean = () => true,
): Promise<number> {
  const sent: { text: string; values: unknown[] }[] = [];
  const watched = new Proxy(database.pool, {
    get: (target, name) =>
      name === 'query'
        ? (text: string, values: unknown[]) => {
            sent.push({ text, values });
            return target.query(text, values);
          }
        : Reflect.get(target, name),
  });
  await work(watched);
  expect(sent).not.toEqual([]);
  let most = 0;
  for (const { text, values } of sent.filter((one) => isMeasured(one.text))) {
    const { rows } = await database.pool.query(`explain (analyze, format json) ${text}`, values);
    const touched = new Map<string, number>();
    for (const node of nodesOf(rows[0]['QUERY PLAN'][0].Plan)) {
      const table = node['Relation Name'];
      if (table === undefined) continue;
      const read = (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0);
      touched.set(table, (touched.get(table) ?? 0) + read * (node['Actual Loops'] ?? 1));
    }
    most = Math.max(most, ...touched.values());
  }
  return most;
}

const usersOf = (pool: pg.Pool) => new Users({ pool } as ConstructorParameters<typeof Users>[0]);
const newestFirst = { page: 1, limit: LIMIT, sort_by: 'created_at', sort_order: 'desc' } as const;
/** True for the statement that reads a page of users, false for the statement that counts all users. */
const isPage = (text: string) => !text.startsWith('select count');

describe('users', () => {
  it.each([
    { sort_by: 'created_at', sort_order: 'asc' },
    { sort_by: 'last_synced_at', sort_order: 'desc' },
    { sort_by: 'last_synced_at', sort_order: 'asc' },
    { sort_by: 'email', sort_order: 'desc' },
  ] as const)('reads few extra rows for a page of users by %o', async (order) => {
    const list = (pool: pg.Pool) => usersOf(pool).list({ ...newestFirst, ...order });
    expect(await maxRowsRead(list, isPage)).toBeLessThan(2 * MOST_ROWS);
  });

  it.each(['person1234', 'customer-99', 'son77 adey'])(
    'reads few users for a search for %s and its count',
    async (search) => {
      const list = (pool: pg.Pool) => usersOf(pool).list({ ...newestFirst, search });
      expect((await list(database.pool)).total).toBeGreaterThan(0);
      expect(await maxRowsRead(list)).toBeLessThan(MOST_ROWS);
    },
  );
});

describe('runs', () => {
  it.each<[string, Partial<RunFilter>]>([
    ['without a filter', {}],
    ['of an unused status', { status: 'cancelled' }],
    ['of a rare status', { status: 'failed' }],
    ['of an unused provider', { provider: 'polar' }],
    ['of a provider', { provider: 'oura' }],
    ['of an unused type', { source: 'xml_import' }],
    ['that wait for another attempt', { retrying: true }],
    ['of an unused pair of provider and type', { provider: 'oura', source: 'sdk' }],
    ['of another unused pair', { provider: 'apple', source: 'pull' }],
    ['of a provider and a rare status', { provider: 'oura', status: 'failed' }],
    ['of a time range', { fromMs: Date.now() - 90_000_000, toMs: Date.now() - 86_400_000 }],
  ])('reads few extra rows for a page of runs %s', async (_, filter) => {
    const first = await listRuns(database.pool, { limit: LIMIT, ...filter });
    expect(await maxRowsRead((pool) => listRuns(pool, { limit: LIMIT, ...filter }))).toBeLessThan(MOST_ROWS);
    const before = first.at(-1)?.run_id;
    if (before === undefined) return;
    expect(await maxRowsRead((pool) => listRuns(pool, { limit: LIMIT, ...filter, before }))).toBeLessThan(MOST_ROWS);
  });
});

describe('connections', () => {
  it.each([
    {},
    { provider: 'polar' },
    { provider: 'oura' },
    { state: 'ended' },
    { state: 'failing' },
    { provider: 'oura', state: 'failing' },
  ] as const)('reads few extra rows for a page of connections with %o', async (filter) => {
    const { pagination } = await listAllConnections(database.pool, { limit: LIMIT, ...filter });
    const cursor = pagination.next_cursor ?? undefined;
    for (const place of [{}, { cursor }]) {
      const page = (pool: pg.Pool) => listAllConnections(pool, { limit: LIMIT, ...filter, ...place });
      expect(await maxRowsRead(page)).toBeLessThan(MOST_ROWS);
    }
  });
});

describe('the audit trail', () => {
  const user = '11111111-2222-4333-8444-555555555555';
  it.each([
    {},
    { outcome: 'denied' },
    { action: 'delete' },
    { action: 'read' },
    { actorType: 'api_key' },
    { actorType: 'sdk' },
    { actorType: 'sdk', fromMs: Date.now() - 3 * MS_PER_DAY },
    { actorId: 'unknown' },
    { userId: user },
    { resource: 'timeseries' },
    { resource: 'webhook' },
    { resource: 'user', action: 'read' },
    { resource: 'user', actorType: 'api_key' },
  ] as const)('reads few extra rows for a page of audit records with %o', async (filter) => {
    const first = await listAuditEvents(database.pool, { limit: LIMIT, ...filter });
    const cursor = first.pagination.next_cursor ?? undefined;
    for (const place of [{}, { cursor }]) {
      const page = (pool: pg.Pool) => listAuditEvents(pool, { limit: LIMIT, ...filter, ...place });
      expect(await maxRowsRead(page)).toBeLessThan(MOST_ROWS);
    }
  });
});
