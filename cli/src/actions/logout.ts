import { logout as logoutRoute } from '@healthd/contract';
import type { Cli } from '../cli.js';
import { NO_FIELDS } from '../output/fields.js';
import { profilePath, updateProfile } from '../profile/profile-file.js';

/** `healthctl logout` */
export async function logout(cli: Cli): Promise<void> {
  cli.willWrite(NO_FIELDS);
  const { contextName, stored } = await cli.connection();
  if (contextName === undefined || (!stored?.api_key && !stored?.refresh_token)) {
    cli.say('Nothing is stored for this service.');
    return;
  }
  if (stored.refresh_token) await endAtService(cli);
  await updateProfile(profilePath(cli.env), (profile) => {
    const { url, developer_email } = profile.contexts[contextName] ?? stored;
    return { ...profile, contexts: { ...profile.contexts, [contextName]: { url, developer_email } } };
  });
  cli.say(`Logged out of ${stored.url}: the credentials of context ${contextName} are removed.`);
  if (stored.api_key) cli.say('The API key itself goes on working elsewhere until it is revoked.');
}

/** Best effort: what is stored here is removed in any case. */
async function endAtService(cli: Cli): Promise<void> {
  try {
    const client = await cli.client();
    await client.call(logoutRoute, { signal: cli.signal });
  } catch {
    cli.warn('The service could not be reached; the login there expires when it is not used.');
  }
}
