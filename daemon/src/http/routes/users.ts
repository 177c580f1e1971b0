import { randomUUID } from 'node:crypto';
import { createUser, deleteUser, exportUser, getErasure, getUser, listUsers, updateUser } from '@healthd/schemas';
import type { Response } from 'express';
import type { VendorTerms } from '../../connections/index.js';
import type { Users } from '../../users/index.js';
import { type Binding, bind, bindFinding, StreamingResponse } from '../binding.js';

/** Time without accepted data after which a download is cut off, because it holds a database connection. */
const STALLED_SECONDS = 60;

interface UserServices {
  users: Users;
  terms: Pick<VendorTerms, 'current'>;
}

/** Routes for user records. */
export function userRoutes({ users, terms }: UserServices): Binding[] {
  return [
    bind(createUser, async ({ body, note }) => {
      const created = await users.create(body ?? {});
      note({ userId: created.id });
      return created;
    }),
    bind(listUsers, ({ query }) => users.list(query)),
    bindFinding(getUser, ({ params }) => users.show(params.user_id)),
    bind(updateUser, ({ user, body, query }) => users.update(user, body, query.dry_run)),
    bind(exportUser, async ({ user, response }) => {
      const headers = {
        'Content-Type': 'application/zip',
        'Content-Disposition': `attachment; filename="healthd-${user.id}.zip"`,
      };
      const archive = users.export(user, (await terms.current()).attribution);
      return new StreamingResponse(withStallTimeout(archive, response, STALLED_SECONDS), headers);
    }),
    bind(deleteUser, async ({ user, note }) => {
      const erasureId = randomUUID();
      // Records the receipt's ID before the erasure starts: the audit trail must lead to the receipt even if the caller
      // disconnects or gets a 503.
      note({ resourceId: erasureId });
      return users.erase(user, erasureId);
    }),
    bind(getErasure, ({ params }) => users.receipt(params.erasure_id)),
  ];
}

/** Passes chunks on. If the reader accepts no data for too long, closes the connection, which ends the source. */
async function* withStallTimeout<T>(
  chunks: AsyncIterable<T>,
  response: Response,
  stalledSeconds: number,
): AsyncGenerator<T> {
  for await (const chunk of chunks) {
    const stalled = setTimeout(() => response.destroy(), stalledSeconds * 1000);
    try {
      yield chunk;
    } finally {
      clearTimeout(stalled);
    }
  }
}
