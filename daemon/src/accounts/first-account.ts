import { Failure } from '../platform/failures.js';
import { SettingsError } from '../platform/settings-error.js';
import type { Accounts } from './accounts.js';

/** What the first start made; shown once, to the person who started the service. */
export interface FirstAccount {
  email: string;
  password: string;
  /** Whether the password was made up here because none was given. */
  passwordGenerated: boolean;
  apiKey: string;
  /** Of a session opened for healthctl's profile. */
  refreshToken: string;
  /** To be called when a person has been shown it: no later start shows it again. */
  shown(): Promise<void>;
  /** Lets another process show it; done by the end of this one as well. Safe to call twice. */
  release(): Promise<void>;
}

const DEFAULT_EMAIL = 'admin@localhost';

/**
 * Creates the first developer and one API key when no developer exists. When an earlier start created them and ended
 * before it showed them, they are made again with other secrets, unless one was used already. Undefined when there is
 * nothing to show, or while another process is about to show it.
 * @throws SettingsError for an ADMIN_PASSWORD that is easily guessed
 */
export async function ensureFirstAccount(
  accounts: Accounts,
  wanted: { adminEmail?: string | undefined; adminPassword?: string | undefined },
): Promise<FirstAccount | undefined> {
  const claim = await accounts.claim('first-account');
  if (claim === undefined) return undefined;
  const email = wanted.adminEmail ?? DEFAULT_EMAIL;
  const password = wanted.adminPassword ?? accounts.developers.generatePassword();
  try {
    const made = await accounts.firstAccountRows.make(email, password).catch(wrongSetting);
    if (made === undefined) {
      await claim.release();
      return undefined;
    }
    const session = await accounts.sessions.open(made.developerId);
    if (!session) throw new Error('the first account was deleted while it was being made');
    return {
      email,
      password,
      passwordGenerated: wanted.adminPassword === undefined,
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
