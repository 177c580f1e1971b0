import type { Accounts } from './accounts.js';
import { generatePassword } from './passwords.js';

/** What the first start made; shown once, to whoever started the service. */
export interface FirstAccount {
  email: string;
  password: string;
  /** Whether the password was made up here because none was given. */
  passwordGenerated: boolean;
  apiKey: string;
  /** Of a session opened for healthctl's profile. */
  refreshToken: string;
}

const DEFAULT_EMAIL = 'admin@localhost';

/**
 * Creates the first developer and one API key when no developer exists; undefined when one does. Processes that start
 * together make one account: the lock lets the others wait and then find it.
 */
export async function ensureFirstAccount(
  accounts: Accounts,
  wanted: { adminEmail?: string | undefined; adminPassword?: string | undefined },
): Promise<FirstAccount | undefined> {
  return accounts.alone('first-account', async () => {
    if (await accounts.developers.exist()) return undefined;
    const email = wanted.adminEmail ?? DEFAULT_EMAIL;
    const password = wanted.adminPassword ?? generatePassword();
    const developer = await accounts.developers.create(email, password);
    const { key } = await accounts.apiKeys.create({ name: 'First key' }, developer.id);
    const session = await accounts.sessions.open(developer.id);
    if (!session) throw new Error('the first account was deleted while it was being made');
    const passwordGenerated = wanted.adminPassword === undefined;
    return { email, password, passwordGenerated, apiKey: key, refreshToken: session.refresh_token };
  });
}
