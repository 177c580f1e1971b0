import { deleteOldAuditEvents } from '@healthd/daemon/audit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Call, startTestService, type TestService } from '../support/service.js';

const ANNA = '0b9f4d54-4f5e-4b2e-8f0e-1f6f2b9a7c01';
const BERT = '0b9f4d54-4f5e-4b2e-8f0e-1f6f2b9a7c02';

let service: TestService;
let developer: Call;
beforeAll(async () => {
  service = await startTestService();
  developer = (await service.logIn()).call;
  await addRecords();
});
afterAll(() => service.stop());

/** Adds 90 records of two users, three actors and three outcomes. Pairs of records have the same time. */
async function addRecords() {
  await service.pool.query(
    `insert into audit_event (at, actor_type, actor_id, user_id, resource, action, outcome, status, route)
     select timestamptz '2026-03-01T00:00Z' + n / 2 * interval '2 minutes' + interval '1 microsecond',
       (array['developer', 'api_key', 'sdk'])[n % 3 + 1], 'actor-' || n % 3,
       case when n % 2 = 0 then $1::uuid else $2::uuid end,
       case when n % 5 = 0 then 'sleep' else 'workout' end, 'read',
       (array['success', 'denied', 'failure'])[n % 3 + 1], 200, 'route' || n
     from generate_series(0, 89) n`,
    [ANNA, BERT],
  );
}

const list = async (query: string) => (await developer('GET', `/api/v1/audit?${query}`)).body;
const routes = (page: { data: { route: string }[] }) => page.data.map(({ route }) => route);
const MARCH = 'from=2026-03-01&to=2026-03-02';

describe('the list of audit records', () => {
  test('is not accessible with an API key or without credentials', async () => {
    expect((await service.call('GET', '/api/v1/audit')).status).toBe(401);
    expect((await service.anonymous('GET', '/api/v1/audit')).status).toBe(401);
  });

  test('shows a complete record', async () => {
    expect((await list(`${MARCH}&limit=1`)).data).toEqual([
      {
        id: expect.any(Number),
        at: '2026-03-01T01:28:00.000Z',
        actor_type: 'sdk',
        actor_id: 'actor-2',
        user_id: BERT,
        resource: 'workout',
        resource_id: null,
        action: 'read',
        outcome: 'failure',
        status: 200,
        route: 'route89',
        request_id: null,
        address: null,
        occurrences: 1,
        detail: null,
      },
    ]);
  });

  test.each([1, 7, 45, 90])('returns every record once, newest first, in pages of %i', async (limit) => {
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await list(`${MARCH}&limit=${limit}${cursor}`);
      seen.push(...routes(page));
      expect(page.pagination.has_more).toBe(page.pagination.next_cursor !== null);
      cursor = page.pagination.next_cursor && `&cursor=${page.pagination.next_cursor}`;
    } while (cursor);
    expect(seen).toEqual(Array.from({ length: 90 }, (_, n) => `route${89 - n}`));
  });

  test.each([
    [`user_id=${ANNA}`, 45],
    ['actor_type=api_key', 30],
    ['actor_id=actor-0', 30],
    ['resource=sleep', 18],
    ['outcome=denied', 30],
    ['action=read', 90],
    ['action=delete', 0],
    [`user_id=${BERT}&resource=sleep&outcome=failure`, 3],
  ])('applies the filter %s', async (filter, count) => {
    expect((await list(`${MARCH}&${filter}&limit=1000`)).data).toHaveLength(count);
  });

  test('starts at `from` and ends before `to`', async () => {
    const page = await list('from=2026-03-01T00:10:00Z&to=2026-03-01T00:12:00Z');
    expect(routes(page)).toEqual(['route11', 'route10']);
  });

  test.each(['x', 'djEuMS4', 'djEuMTAwMDAwMDAwMDAwMDAwMDAuMQ'])('rejects the forged cursor %s', async (cursor) => {
    const response = await developer('GET', `/api/v1/audit?cursor=${cursor}`);
    expect(response.status).toBe(422);
    expect(response.body.detail[0].loc).toEqual(['query', 'cursor']);
  });

  test('records each read of the list with the user of its filter', async () => {
    await list(`user_id=${ANNA}`);
    await service.audit.flush();
    const found = await list(`user_id=${ANNA}&resource=audit_event`);
    expect(found.data[0]).toMatchObject({ actor_type: 'developer', action: 'read', user_id: ANNA });
  });
});

test("records a read of a run with the run's user", async () => {
  const { id } = (await service.call('POST', '/api/v1/users')).body;
  await service.pool.query(
    `insert into sync_run (run_id, user_key, provider, source, stage, status)
     select 'run_1', user_key, 'apple', 'xml_import', 'completed', 'success' from health_user where id = $1`,
    [id],
  );
  expect((await service.call('GET', '/api/v1/sync/runs/run_1')).status).toBe(200);
  await service.audit.flush();
  expect((await list(`user_id=${id}&resource=sync_run`)).data).toMatchObject([{ route: 'getSyncRun', action: 'read' }]);
});

describe('the audit trail', () => {
  const appendOnlyError = /append-only/;

  test('cannot be changed, shortened or emptied', async () => {
    const { pool } = service;
    await expect(pool.query("update audit_event set actor_id = 'nobody'")).rejects.toThrow(appendOnlyError);
    await expect(pool.query('delete from audit_event')).rejects.toThrow(appendOnlyError);
    await expect(pool.query('truncate audit_event')).rejects.toThrow(appendOnlyError);
    await expect(pool.query('select delete_old_audit_events(now(), 10)')).rejects.toThrow(/last day/);
  });

  test('deletes only records older than its retention', async () => {
    const add = (days: number) =>
      service.pool.query(
        `insert into audit_event (at, actor_type, resource, action, outcome, route)
         values (now() - make_interval(days => $1), 'developer', 'user', 'read', 'success', 'aged' || $1)`,
        [days],
      );
    for (const days of [2192, 2191, 2189]) await add(days);
    expect(await deleteOldAuditEvents(service.pool, 2190)).toBe(2);
    expect(routes(await list('to=2026-01-01'))).toEqual(['aged2189']);
    await expect(service.pool.query('delete from audit_event')).rejects.toThrow(appendOnlyError);
  });
});
