import { listChanges, listUserChanges } from '@healthd/schemas';
import type pg from 'pg';
import { type Feed, readUserChanges } from '../../feed/index.js';
import { Failure } from '../../platform/failures.js';
import { type Binding, bind, type UserRef } from '../binding.js';

/** Routes for the feed of changes. */
export function changeRoutes({
  pool,
  feed,
  findUser,
}: {
  pool: pg.Pool;
  feed: Feed;
  findUser(id: string): Promise<UserRef | undefined>;
}): Binding[] {
  return [
    bind(listChanges, async ({ query, signal }) => {
      const { cursor, kinds, limit, user_id: userId, wait } = query;
      const user = userId === undefined ? undefined : await findUser(userId);
      if (userId !== undefined && !user) throw new Failure('not_found', `User with ID: ${userId} not found.`);
      const page = await feed.read({ cursor, kinds, userKey: user?.userKey, limit }, wait * 1000, signal);
      return { items: page.items, cursor: page.cursor, has_more: page.hasMore };
    }),
    bind(listUserChanges, async ({ user, query }) => {
      const { after, kinds, limit } = query;
      const page = await readUserChanges(pool, user.userKey, { cursor: after, kinds, limit });
      return { items: page.items, cursor: page.cursor, has_more: page.hasMore };
    }),
  ];
}
