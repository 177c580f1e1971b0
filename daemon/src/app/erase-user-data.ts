import { deleteUserSessions } from '../accounts/index.js';
import { eraseChanges } from '../feed/index.js';
import { deleteNotificationsOf } from '../ingest/pull/index.js';
import { recordErasedAccounts } from '../ingest/webhooks/index.js';
import { eraseHealthData } from '../store/write/index.js';
import type { EraseUserData } from '../users/index.js';

/** Deletes the user's data that no foreign key cascade deletes. Each folder deletes from the tables that it writes. */
export const eraseUserData: EraseUserData = async (client, user) => {
  await recordErasedAccounts(client, user.userKey);
  await eraseHealthData(client, user.userKey);
  await deleteUserSessions(client, user.id);
  await deleteNotificationsOf(client, user.userKey);
  await eraseChanges(client, user);
};
