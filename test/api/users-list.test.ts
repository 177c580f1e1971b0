import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Call, startTestService, type TestService } from '../support/service.js';
import { COMPLETED, syncRun } from '../support/user-runs.js';

const UNKNOWN = '11111111-2222-4333-8444-555555555555';
let service: TestService;
let developer: Call;
beforeAll(async () => {
  service = await startTestService();
  developer = (await service.logIn()).call;
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.pool.query('delete from health_user');
});

const create = async (fields: Record<string, unknown> = {}) =>
  (await service.call('POST', '/api/v1/users', fields)).body;

/** Reads all pages of a user list. @param meanwhile called with the last ID of each page */
async function follow(query: string, meanwhile?: (last: string) => Promise<void>) {
  const followed: string[] = [];
  const hasNext: boolean[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const after = cursor === undefined ? '' : `&after=${cursor}`;
    const { body } = await service.call('GET', `/api/v1/users?${query}${after}`);
    followed.push(...body.items.map(({ id }: { id: string }) => id));
    hasNext.push(body.has_next);
    cursor = body.next_cursor;
    const last = followed.at(-1);
    if (last !== undefined) await meanwhile?.(last);
  }
  return { followed, hasNext };
}

/** Encodes a cursor from arbitrary parts. */
const cursorOf = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');

describe('listing users', () => {
  const names = async (query: string) => {
    const { body } = await service.call('GET', `/api/v1/users?${query}`);
    return body.items.map((user: { first_name: string | null }) => user.first_name);
  };

  test('returns pages of users, newest first', async () => {
    for (const first_name of ['a', 'b', 'c']) await create({ first_name });
    const page = (await service.call('GET', '/api/v1/users?limit=2')).body;
    expect(page).toMatchObject({ total: 3, page: 1, limit: 2, pages: 2, has_next: true, has_prev: false });
    expect(page.items.map((user: { first_name: string }) => user.first_name)).toEqual(['c', 'b']);
    const last = (await service.call('GET', '/api/v1/users?limit=2&page=2')).body;
    expect(last).toMatchObject({ has_next: false, has_prev: true });
    expect(last.items).toHaveLength(1);
    const beyond = (await service.call('GET', '/api/v1/users?limit=2&page=9')).body;
    expect(beyond).toMatchObject({ items: [], total: 3, has_next: false, has_prev: true });
  });

  test('returns zero pages for an empty list', async () => {
    const { body } = await service.call('GET', '/api/v1/users');
    expect(body).toEqual({
      items: [],
      total: 0,
      page: 1,
      limit: 20,
      pages: 0,
      has_next: false,
      has_prev: false,
      next_cursor: null,
    });
  });

  test('sorts by name, with missing names last in ascending order', async () => {
    await create({ first_name: 'b' });
    await create();
    await create({ first_name: 'a' });
    expect(await names('sort_by=first_name&sort_order=asc')).toEqual(['a', 'b', null]);
    expect(await names('sort_by=first_name')).toEqual([null, 'b', 'a']);
  });

  test('sorts never-synced users last in descending order, first in ascending order', async () => {
    const [old, fresh] = [await create({ first_name: 'old' }), await create({ first_name: 'fresh' })];
    await create({ first_name: 'never' });
    for (const { id } of [fresh, old, fresh]) await syncRun(service, id, { provider: 'apple', outcome: COMPLETED });
    expect(await names('sort_by=last_synced_at')).toEqual(['fresh', 'old', 'never']);
    expect(await names('sort_by=last_synced_at&sort_order=asc')).toEqual(['never', 'old', 'fresh']);
    expect(await names('sort_by=last_synced_at&limit=1&page=2&search=O')).toEqual([]);
    const pages = [];
    for (const page of [1, 2, 3, 4]) pages.push(await names(`sort_by=last_synced_at&limit=1&page=${page}`));
    expect(pages).toEqual([['fresh'], ['old'], ['never'], []]);
  });

  test.each([
    'sort_by=created_at',
    'sort_by=created_at&sort_order=asc',
    'sort_by=first_name',
    'sort_by=first_name&sort_order=asc',
    'sort_by=last_synced_at',
    'sort_by=last_synced_at&sort_order=asc',
    'sort_by=last_name&search=ada',
  ])('pages after a user cursor without gaps or repetitions: %s', async (order) => {
    for (const first_name of ['Ada', undefined, 'Bo', 'Ada', undefined, 'ada', 'Cy']) {
      const { id } = await create({ first_name, last_name: first_name === 'Bo' ? undefined : 'ada' });
      if (first_name !== 'Cy' && first_name !== 'ada')
        await syncRun(service, id, { provider: 'apple', outcome: COMPLETED });
    }
    const ids = async (query: string) =>
      (await service.call('GET', `/api/v1/users?${order}&${query}`)).body.items.map(({ id }: { id: string }) => id);
    const all = await ids('limit=100');
    expect(all.length).toBeGreaterThan(5);
    const { followed } = await follow(`${order}&limit=2`);
    expect(followed).toEqual(all);
  });

  test('skips no user when the last user of a page changes', async () => {
    const made: string[] = [];
    for (const _ of [1, 2, 3, 4, 5]) {
      const { id } = await create();
      made.unshift(id);
      await syncRun(service, id, { provider: 'apple', outcome: COMPLETED });
    }
    const bySync = await follow('sort_by=last_synced_at&limit=2', async (last) => {
      if (last === made[1]) await syncRun(service, last, { provider: 'apple', outcome: COMPLETED });
    });
    expect(bySync.followed).toEqual(made);
    const byCreation = await follow('sort_by=created_at&limit=2', async (last) => {
      expect((await developer('DELETE', `/api/v1/users/${last}`)).status).toBe(200);
    });
    expect(byCreation.followed).toEqual(made);
  });

  test('returns an exact has_next, even for a full last page', async () => {
    for (const _ of [1, 2, 3, 4]) await create();
    const { hasNext } = await follow('limit=2');
    expect(hasNext).toEqual([true, false]);
  });

  test.each([
    ['an id', UNKNOWN, 'Invalid cursor format.'],
    ['no time', cursorOf(['created_at', 'yesterday', UNKNOWN]), 'Invalid cursor format.'],
    ['a zero character', cursorOf(['email', 'a\0', UNKNOWN]), 'Invalid cursor format.'],
    ['no id', cursorOf(['created_at', '1', '7']), 'Invalid cursor format.'],
    ['another order', cursorOf(['email', 'a', UNKNOWN]), 'The cursor belongs to a list that is sorted by email.'],
  ])('rejects an invalid cursor: %s', async (what, cursor, msg) => {
    const order = what === 'a zero character' ? 'email' : 'created_at';
    const { status, body } = await service.call('GET', `/api/v1/users?sort_by=${order}&after=${cursor}`);
    expect(status).toBe(422);
    expect(body.detail).toMatchObject([{ loc: ['query', 'after'], msg }]);
  });

  test('finds parts of the email or the names in any capitalization', async () => {
    await create({ first_name: 'Anna', last_name: 'Smith', email: 'a.smith@clinic.example' });
    await create({ first_name: 'Bert', last_name: 'Jones' });
    for (const search of ['anna', 'SMITH', 'a.smith@', 'anna smith', 'nna Smi', 'nn', 'Änna']) {
      expect(await names(`search=${encodeURIComponent(search)}`)).toEqual(['Anna']);
    }
    expect(await names('search=')).toHaveLength(2);
  });

  test('searches all fields in any word order, ignoring accents and case', async () => {
    await create({
      first_name: 'José María',
      last_name: 'Núñez',
      email: 'jm@clinic.example',
      external_user_id: 'CRM-77/b',
    });
    await create({ first_name: 'Łukasz', last_name: 'Strauß' });
    for (const search of ['nunez jose', 'NÚÑEZ', 'maria nun', 'crm-77', 'jm@ jose', 'Jose\u0301']) {
      expect(await names(`search=${encodeURIComponent(search)}`), search).toEqual(['José María']);
    }
    for (const search of ['lukasz', 'strauss ŁUK', 'STRAUẞ']) {
      expect(await names(`search=${encodeURIComponent(search)}`), search).toEqual(['Łukasz']);
    }
    expect(await names('search=nunez%20lukasz')).toEqual([]);
  });

  test('finds a user by ID prefix from four characters on', async () => {
    const { id } = await create({ first_name: 'wanted' });
    for (const search of [id, id.toUpperCase(), id.slice(0, 8), id.slice(0, 12)]) {
      expect(await names(`search=${search}`), search).toEqual(['wanted']);
    }
    expect(await names(`search=${id.slice(0, 3)}`)).toEqual([]);
    expect(await names(`search=${id.slice(9)}`)).toEqual([]);
  });

  test.each(['%', '_', '\\'])('treats %s in a search literally', async (sign) => {
    await create({ first_name: 'plain' });
    await create({ first_name: `odd${sign}name` });
    expect(await names(`search=${encodeURIComponent(`odd${sign}n`)}`)).toEqual([`odd${sign}name`]);
    expect(await names(`search=${encodeURIComponent(`d${sign}n`)}`)).toEqual([`odd${sign}name`]);
    expect(await names(`search=${encodeURIComponent(`p${sign}n`)}`)).toEqual([]);
  });

  test('filters by email, by external ID or by both', async () => {
    await create({ first_name: 'one', email: 'jo@clinic.example', external_user_id: 'x1' });
    await create({ first_name: 'two', email: 'jo@clinic.example', external_user_id: 'x2' });
    expect(await names('email=jo@CLINIC.example&sort_by=first_name&sort_order=asc')).toEqual(['one', 'two']);
    expect(await names('email=jo@clinic.example&external_user_id=x2')).toEqual(['two']);
  });

  test.each([
    ['page=0', 'page', 'greater_than_equal', 'Input should be greater than or equal to 1'],
    ['limit=101', 'limit', 'less_than_equal', 'Input should be less than or equal to 100'],
    ['limit=ten', 'limit', 'int_parsing', 'Input should be a valid integer, unable to parse string as an integer'],
    [
      'sort_by=',
      'sort_by',
      'enum',
      "Input should be 'created_at', 'email', 'first_name', 'last_name' or 'last_synced_at'",
    ],
    ['sort_order=ASC', 'sort_order', 'enum', "Input should be 'asc' or 'desc'"],
    ['email=x', 'email', 'value_error', 'value is not a valid email address'],
    ['search=%00', 'search', 'value_error', 'Value error, text must not contain control characters'],
  ])('rejects %s', async (query, field, type, msg) => {
    const response = await service.call('GET', `/api/v1/users?${query}`);
    expect(response.status).toBe(422);
    expect(response.body.detail).toMatchObject([{ loc: ['query', field], type, msg }]);
  });

  test('uses the last value of a repeated parameter', async () => {
    expect((await service.call('GET', '/api/v1/users?limit=5&limit=7')).body.limit).toBe(7);
  });
});
