import { randomUUID } from 'node:crypto';
import { MS_PER_DAY } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../test/support/record-fixture.js';
import { listUsers, type UserListQuery } from './list-users.js';

const FIRST_MS = Date.UTC(2026, 2, 10);

let fixture: RecordFixture;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
afterAll(() => fixture.close());

const name = fc.option(fc.constantFrom('ada', 'bert', 'cleo', 'dora'), { freq: 5 });
const user = fc.record({
  firstName: name,
  lastName: name,
  email: fc.option(fc.constantFrom('ada@clinic.example', 'bert@clinic.example', 'cleo@home.example'), { freq: 5 }),
  /** Days after the first user, with equal times. */
  createdDay: fc.nat({ max: 3 }),
  syncedDay: fc.option(fc.nat({ max: 3 })),
  connections: fc.uniqueArray(
    fc.record({
      provider: fc.constantFrom('oura', 'polar'),
      state: fc.constantFrom('active', 'failing', 'ended'),
    }),
    { maxLength: 2, selector: ({ provider }) => provider },
  ),
});
type User = typeof user extends fc.Arbitrary<infer Value> ? Value & { id: string; externalId: string } : never;
const query = fc.record({
  limit: fc.integer({ min: 1, max: 4 }),
  sort_by: fc.constantFrom('created_at', 'email', 'first_name', 'last_name', 'last_synced_at'),
  sort_order: fc.constantFrom('asc', 'desc'),
  search: fc.option(fc.constantFrom('da', 'clinic', 'ada clinic', 'ERT', 'ext-1', 'home bert', '%', 'a@c'), {
    nil: undefined,
  }),
  email: fc.option(fc.constantFrom('ada@clinic.example', 'clinic.example'), { nil: undefined, freq: 2 }),
  provider: fc.option(fc.constantFrom('oura', 'polar', 'garmin'), { nil: undefined }),
  connection: fc.option(fc.constantFrom('active', 'failing', 'ended', 'none'), { nil: undefined }),
});
type Query = typeof query extends fc.Arbitrary<infer Value> ? Value : never;

async function store(drawn: readonly Omit<User, 'id' | 'externalId'>[]): Promise<User[]> {
  await fixture.pool.query('delete from health_user');
  await fixture.pool.query('delete from user_state');
  const users = drawn.map((one, index): User => ({ ...one, id: randomUUID(), externalId: `ext-${index}` }));
  for (const one of users) {
    const at = (day: number) => new Date(FIRST_MS + day * MS_PER_DAY);
    const { rows } = await fixture.pool.query<{ user_key: number }>(
      `insert into health_user (id, first_name, last_name, email, external_user_id, created_at) values ($1, $2, $3, $4, $5, $6)
       returning user_key`,
      [one.id, one.firstName, one.lastName, one.email, one.externalId, at(one.createdDay)],
    );
    const userKey = rows[0]?.user_key;
    for (const { provider, state } of one.connections) {
      await fixture.pool.query(
        `insert into connection (user_key, provider, status, failing_since) values ($1, $2, $3, $4)`,
        [userKey, provider, state === 'ended' ? 'revoked' : 'active', state === 'failing' ? at(0) : null],
      );
    }
    await fixture.pool.query('delete from user_state where user_key = $1', [userKey]);
    if (one.syncedDay !== null) {
      await fixture.pool.query(
        `insert into user_state (user_key, last_synced_at, last_synced_provider, changed_at) values ($1, $2, 'oura', now())`,
        [userKey, at(one.syncedDay)],
      );
    }
  }
  return users;
}

function isListed(one: User, { search, email, provider, connection }: Query): boolean {
  const text = [one.email, `${one.firstName ?? ''} ${one.lastName ?? ''}`, one.externalId].join('\n').toLowerCase();
  const words = (search ?? '').toLowerCase().split(' ').filter(Boolean);
  const isFound = (word: string) => text.includes(word) || (/^[0-9a-f]{4}/.test(word) && one.id.startsWith(word));
  if (!words.every(isFound)) return false;
  if (email !== undefined && one.email !== email) return false;
  if (provider === undefined && connection === undefined) return true;
  const isMatch = ({ provider: of, state }: User['connections'][number]) =>
    (provider === undefined || of === provider) &&
    (connection === undefined ||
      connection === 'none' ||
      state === connection ||
      (connection === 'active' && state === 'failing'));
  return one.connections.some(isMatch) !== (connection === 'none');
}

/** Sorts by the column, then by ID. Users without a sync count as synced the longest ago; other missing values are last. */
function inOrder(users: readonly User[], { sort_by: by, sort_order: order }: Query): string[] {
  const sortValue = (one: User) =>
    ({
      created_at: one.createdDay,
      email: one.email,
      first_name: one.firstName,
      last_name: one.lastName,
      last_synced_at: one.syncedDay ?? -1,
    })[by];
  const sign = order === 'asc' ? 1 : -1;
  const compare = (a: User, b: User) => {
    const [left, right] = [sortValue(a), sortValue(b)];
    // Postgres puts missing values last in ascending order.
    if (left === null || right === null) return left === right ? 0 : left === null ? sign : -sign;
    return left === right ? 0 : left < right ? -sign : sign;
  };
  return users.toSorted((a, b) => compare(a, b) || (a.id < b.id ? -1 : 1)).map(({ id }) => id);
}

it('filters, sorts and pages users like a naive model', async () => {
  const property = fc.asyncProperty(
    fc.array(user, { minLength: 6, maxLength: 12, size: 'max' }),
    fc.array(query, { minLength: 6, maxLength: 6 }),
    async (drawn, queries) => {
      const users = await store(drawn);
      for (const one of queries) {
        const expected = inOrder(
          users.filter((each) => isListed(each, one)),
          one,
        );
        const { limit } = one;
        const ask = (more: Partial<UserListQuery>) =>
          listUsers(fixture.pool, { page: 1, ...one, ...more } as UserListQuery);
        let after: string | null = null;
        for (let page = 1; page <= Math.max(1, Math.ceil(expected.length / limit)); page++) {
          const slice = expected.slice((page - 1) * limit, page * limit);
          const hasNext = page * limit < expected.length;
          const found = await ask({ page });
          expect(found.items.map(({ id }) => id)).toEqual(slice);
          expect(found).toMatchObject({
            total: expected.length,
            pages: Math.ceil(expected.length / limit),
            has_next: hasNext,
            has_prev: page > 1,
          });
          const followed: typeof found = page === 1 ? found : await ask({ after: after as string });
          expect(followed.items.map(({ id }) => id)).toEqual(slice);
          expect(followed.next_cursor !== null).toBe(hasNext);
          after = followed.next_cursor;
        }
      }
    },
  );
  await fc.assert(property, { numRuns: 8, endOnFailure: true });
});
