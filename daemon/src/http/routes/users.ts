import { createUser, deleteUser, getUser, listUsers, updateUser } from '@healthd/api';
import type { Users } from '../../users/index.js';
import { type Binding, bind } from '../binding.js';

/** User records. */
export function userRoutes({ users }: { users: Users }): Binding[] {
  return [
    bind(createUser, async ({ body, note }) => {
      const created = await users.create(body ?? {});
      note({ userId: created.id });
      return created;
    }),
    bind(listUsers, ({ query }) => users.list(query)),
    bind(getUser, ({ user }) => users.show(user.id)),
    bind(updateUser, ({ user, body }) => users.update(user.id, body)),
    bind(deleteUser, ({ user }) => users.erase(user)),
  ];
}
