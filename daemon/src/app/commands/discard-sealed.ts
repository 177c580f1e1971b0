import { withClient } from '../../platform/database/index.js';
import { discardSealed } from '../key-check.js';
import { storedEncryptionKeys } from '../keys.js';
import { environment } from '../settings/environment.js';
import { readSettings } from '../settings/settings.js';
import { openExistingDatabase, rejectWithoutInstallation } from './existing-database.js';

/**
 * `healthd admin discard-sealed`: discards everything that was sealed with a lost ENCRYPTION_KEY, so that the service
 * can start again.
 */
export async function discard(): Promise<void> {
  const settings = readSettings(environment());
  rejectWithoutInstallation(settings);
  const keys = await storedEncryptionKeys(settings);
  const database = await openExistingDatabase(settings);
  try {
    const { connections, invitations } = await withClient(
      { url: database.url, applicationName: 'healthd discard-sealed' },
      (client) => discardSealed(client, keys),
    );
    console.log(
      `Discarded secrets that ENCRYPTION_KEY cannot decrypt: ${connections} connections, which the users must connect again, and ` +
        `${invitations} invitations.`,
    );
  } finally {
    await database.close();
  }
}
