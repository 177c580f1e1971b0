import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Call, caller } from '../support/service.js';
import { startWholeService, type WholeService } from '../support/whole-service.js';

const GROUP = '/api/v1/diagnosis/users?provider=google&cause=consent_ended';
const PEOPLE = 7;

let service: WholeService;
let call: Call;
beforeAll(async () => {
  service = await startWholeService();
  call = caller(service, { [service.apiKeyHeader]: service.apiKey });
});
beforeEach(async () => {
  await service.pool.query('delete from health_user');
  // Pairs of users have the same times. The last user has another provider.
  await service.pool.query(
    `with made as (
       insert into health_user (id, first_name) select gen_random_uuid(), n::text from generate_series(1, ${PEOPLE} + 1) n
       returning user_key, first_name::int as n
     )
     insert into connection (user_key, provider, status, status_reason, consented_at, created_at, updated_at)
     select user_key, case when n > ${PEOPLE} then 'oura' else 'google' end, 'revoked', 'refresh_failed',
       timestamptz '2026-03-01T08:00:00.123456Z', timestamptz '2026-03-01T08:00:00.123456Z' + n / 2 * interval '1 day',
       timestamptz '2026-04-01T08:00:00.123456Z' - n / 2 * interval '1 day'
     from made`,
  );
});
afterAll(() => service.stop());

interface Page {
  total: number;
  items: { user_id: string; first_name: string }[];
  next_cursor: string | null;
}

/** Reads the whole group. @param meanwhile called after each page */
async function follow(query: string, meanwhile?: () => Promise<void>): Promise<Page[]> {
  const pages: Page[] = [];
  for (let after: string | null = ''; after !== null; after = pages.at(-1)?.next_cursor ?? null) {
    const { status, body } = await call('GET', `${GROUP}&${query}${after && `&after=${after}`}`);
    expect(status).toBe(200);
    pages.push(body);
    await meanwhile?.();
  }
  return pages;
}

const namesOf = (pages: readonly Page[]) => pages.flatMap(({ items }) => items.map((user) => user.first_name));
const everyone = Array.from({ length: PEOPLE }, (_, n) => String(n + 1));

describe('users of a problem group', () => {
  test.each(['latest', 'created_at'])('lists each user once by %s, even with equal times', async (order) => {
    const whole = await call('GET', `${GROUP}&sort_by=${order}`);
    expect(whole.body).toMatchObject({ total: PEOPLE, next_cursor: null });
    for (const limit of [1, 2, 3, PEOPLE]) {
      const pages = await follow(`sort_by=${order}&limit=${limit}`);
      expect(pages.flatMap(({ items }) => items)).toEqual(whole.body.items);
      expect(pages.map(({ total }) => total)).toEqual(pages.map(() => PEOPLE));
      expect(pages).toHaveLength(Math.ceil(PEOPLE / limit));
    }
    expect(namesOf([whole.body]).sort()).toEqual(everyone);
  });

  test('sorts by the newest problem or the newest connection', async () => {
    const firstOf = async (order: string) => (await call('GET', `${GROUP}&sort_by=${order}`)).body.items[0].first_name;
    expect(await firstOf('latest')).toBe('1');
    expect(['6', '7']).toContain(await firstOf('created_at'));
    expect((await call('GET', GROUP)).body.items[0].first_name).toBe('1');
  });

  test('lists each user once by creation time despite changes', async () => {
    const happen = async () => {
      await service.pool.query(`update connection set updated_at = now() - random() * interval '100 days'`);
    };
    const names = namesOf(await follow('sort_by=created_at&limit=2', happen));
    expect(names).toHaveLength(PEOPLE);
    expect([...names].sort()).toEqual(everyone);
  });

  test('does not stop paging at a reconnected user', async () => {
    const { body } = await call('GET', `${GROUP}&sort_by=created_at&limit=3`);
    await service.pool.query(
      `update connection set status = 'active' where user_key = (select user_key from health_user where id = $1)`,
      [body.items[2].user_id],
    );
    const rest = await call('GET', `${GROUP}&sort_by=created_at&limit=10&after=${body.next_cursor}`);
    expect(namesOf([body, rest.body]).sort()).toEqual(everyone);
    expect(rest.body.total).toBe(PEOPLE - 1);
  });

  test.each([
    ['of another order', async () => (await call('GET', `${GROUP}&sort_by=latest&limit=1`)).body.next_cursor],
    ['that no page returned', async () => 'bm9uc2Vuc2U'],
    [
      'whose instant is invalid',
      async () => Buffer.from('created_at.x.00000000-0000-4000-8000-000000000000').toString('base64url'),
    ],
    [
      'with an extra part',
      async () => Buffer.from('created_at.1.00000000-0000-4000-8000-000000000000.1').toString('base64url'),
    ],
  ])('rejects a cursor %s', async (_, cursorOf) => {
    const { status, body } = await call('GET', `${GROUP}&sort_by=created_at&after=${await cursorOf()}`);
    expect([status, body.detail[0].loc]).toEqual([422, ['query', 'after']]);
  });
});
