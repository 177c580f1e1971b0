import { deleteUserSessions } from '../accounts/index.js';
import { deleteNotificationsOf } from '../ingest/pull/index.js';
import { noteErasedAccounts } from '../ingest/webhooks/index.js';
import { eraseHealthData } from '../store/write/index.js';
import type { EraseUserData } from '../users/index.js';

/** Deletes what other folders hold of a user and no foreign key removes, each table by the folder that writes it. */
export const eraseUserData: EraseUserData = async (client, user) => {
  await noteErasedAccounts(client, user.userKey);
  await eraseHealthData(client, user.userKey);
  await deleteUserSessions(client, user.id);
  await deleteNotificationsOf(client, user.userKey);
};
