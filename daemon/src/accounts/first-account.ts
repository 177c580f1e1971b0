import { Failure } from '../platform/failures.js';
import { SettingsError } from '../platform/settings-error.js';
import type { Accounts } from './accounts.js';

/** The account that the first start created. Shown once, to the operator who started the service. */
export interface FirstAccount {
  email: string;
  password: string;
  /** True if the password was generated because none was configured. */
  passwordGenerated: boolean;
  apiKey: string;
  /** Refresh token for healthctl's profile. */
  refreshToken: string;
  /** Call after the account was shown. Later starts do not show it again. */
  shown(): Promise<void>;
  /** Lets another process show the account. The end of this process has the same effect. Safe to call twice. */
  release(): Promise<void>;
}

const DEFAULT_EMAIL = 'admin@localhost';

/**
 * Creates the first developer and an API key if no developer exists. If an earlier start created them but ended before
 * it showed them, replaces them with new secrets, unless the account or the key was already used. Returns undefined if
 * there is nothing to show, or if another process is about to show the account.
 * @throws SettingsError for a weak ADMIN_PASSWORD
 */
export async function ensureFirstAccount(
  accounts: Accounts,
  account: { adminEmail?: string | undefined; adminPassword?: string | undefined },
): Promise<FirstAccount | undefined> {
  const claim = await accounts.claim('first-account');
  if (claim === undefined) return undefined;
  const email = account.adminEmail ?? DEFAULT_EMAIL;
  const password = account.adminPassword ?? accounts.developers.generatePassword();
  try {
    const made = await accounts.firstAccountRows.make(email, password).catch(wrongSetting);
    if (made === undefined) {
      await claim.release();
      return undefined;
    }
    const session = await accounts.sessions.open(made.developerId);
    if (!session) throw new Error('the first account was deleted during its creation');
    return {
      email,
      password,
      passwordGenerated: account.adminPassword === undefined,
      apiKey: made.apiKey,
      refreshToken: session.refresh_token,
      async shown() {
        await accounts.firstAccountRows.markShown();
        await claim.release();
      },
      release: claim.release,
    };
  } catch (error) {
    await claim.release();
    throw error;
  }
}

function wrongSetting(error: unknown): never {
  if (!(error instanceof Failure) || error.code !== 'unprocessable') throw error;
  throw new SettingsError([`ADMIN_PASSWORD is easily guessed: ${error.message.replace(/^Value error, /, '')}`]);
}
