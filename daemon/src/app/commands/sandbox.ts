import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MS_PER_MINUTE } from '@healthd/model';
import type { GoogleSimulator, WhoopSimulator } from '@healthd/simulators';
import pg from 'pg';
import type { Logger } from 'pino';
import { connectionSettings } from '../../platform/database/index.js';
import { SettingsError } from '../../platform/settings-error.js';
import type { Settings } from '../settings/settings.js';

/** Vendors of this machine, for anyone who tries the service without an account at any of the real ones. */
export interface Sandbox {
  /** The given ones, with the providers' addresses and credentials replaced. */
  settings: Settings;
  stop(): Promise<void>;
}

const HISTORY_DAYS = 90;
/** A newcomer should not wait for the vendor's quota. */
const REQUESTS_PER_MINUTE = 6000;
const REQUESTS_PER_DAY = 1_000_000;
/** How often the lives of made-up people go on. */
const GROWTH_MS = MS_PER_MINUTE;

/** People who can consent: one near, one far away, and one whom the vendor has no health data of. */
const PEOPLE = [
  { id: 'alex', seed: 11 },
  { id: 'kim', seed: 12, timeZone: 'America/Los_Angeles' },
  { id: 'no-health-profile', state: 'not_linked' },
] as const;

/**
 * Starts simulated vendors and points the providers' settings at them. They live as long as the process: connections made
 * to them must be made again after the next start, their data stay.
 * @throws SettingsError when the database has connections to real vendors: a simulator would end them
 */
export async function startSandbox(settings: Settings, databaseUrl: string, log: Logger): Promise<Sandbox> {
  const isKnown = existsSync(keyFileOf(settings));
  if (!isKnown && (await hasConnections(databaseUrl))) {
    throw new SettingsError([
      `SANDBOX cannot be used with ${settings.dataDir}: it has connections to real vendors. Set another DATA_DIR`,
    ]);
  }
  // Loaded only here: nobody else has a use for it.
  const { startGoogleSimulator, startWhoopSimulator } = await import('@healthd/simulators');
  const google = await startGoogleSimulator({ quota: { perUser: REQUESTS_PER_MINUTE } });
  const whoop = await startWhoopSimulator({ limits: { perMinute: REQUESTS_PER_MINUTE, perDay: REQUESTS_PER_DAY } });
  await addPeople(google);
  await addBandWearers(whoop);
  await whoop.control.setWebhook({ url: `${settings.apiBaseUrl}/api/v1/providers/whoop/webhooks` });
  const growth = setInterval(() => void growAll([google, whoop], log), GROWTH_MS);
  growth.unref();
  log.warn(
    { event: 'sandbox_started' },
    'Started the sandbox in place of Google Health and WHOOP: their accounts and data are made up',
  );
  const providers = {
    ...settings.providers,
    google: await googleSettings(settings, google),
    whoop: whoopSettings(settings, whoop),
  };
  return {
    settings: { ...settings, providers },
    async stop() {
      clearInterval(growth);
      await Promise.all([google.close(), whoop.close()]);
    },
  };
}

/** After a start with real vendors the connections may be real ones, which the sandbox must not touch any more. */
export async function leaveSandbox(settings: Settings): Promise<void> {
  const usesRealVendors = Object.values(settings.providers).some(({ clientId }) => clientId !== undefined);
  if (usesRealVendors) await rm(keyFileOf(settings), { force: true });
}

/** Its being there also says that the connections in this data directory are the sandbox's own. */
function keyFileOf({ dataDir }: Settings): string {
  return join(dataDir, 'sandbox-service-account.json');
}

/** Asked before the schema is up to date, so the table may be missing. */
function hasConnections(url: string): Promise<boolean> {
  return withClient(url, async (client) => {
    const table = await client.query<{ exists: boolean }>(`select to_regclass('connection') is not null as exists`);
    if (!table.rows[0]?.exists) return false;
    const found = await client.query('select 1 from connection where access_token is not null limit 1');
    return found.rows.length > 0;
  });
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connectionSettings({ url, applicationName: 'healthd sandbox' }));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function addPeople({ control }: GoogleSimulator): Promise<void> {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const { id, ...person } of PEOPLE) {
    await control.addAccount({ id, timeZone: here, ...person });
    if ('seed' in person) await control.seedHistory(id, { seed: person.seed, days: HISTORY_DAYS, density: 'light' });
  }
}

async function addBandWearers({ control }: WhoopSimulator): Promise<void> {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const person of PEOPLE) {
    if (!('seed' in person)) continue;
    const { seed, ...account } = person;
    await control.addAccount({ timeZone: here, ...account });
    await control.seedHistory(account.id, { seed, days: HISTORY_DAYS });
  }
}

/** A vendor whose people live on. */
interface LivingVendor {
  control: { accounts(): Promise<readonly { id: string }[]>; growHistory(id: string): Promise<unknown> };
}

/** A person without a history, whom a developer added, does not grow; that is no trouble of the others. */
async function growAll(vendors: readonly LivingVendor[], log: Logger): Promise<void> {
  for (const { control } of vendors) {
    for (const { id } of await control.accounts()) {
      await control
        .growHistory(id)
        .catch((error: unknown) =>
          log.debug(
            { event: 'sandbox_history_failed', err: error },
            'Failed to extend the history of a sandbox account',
          ),
        );
    }
  }
}

async function googleSettings(settings: Settings, { urls, client, control, projectNumber }: GoogleSimulator) {
  const { google } = settings.providers;
  const { api, authorize, token, revoke, userInfo, keyset } = urls;
  const keyFile = keyFileOf(settings);
  await writeFile(keyFile, JSON.stringify(await control.serviceAccountKey()), { mode: 0o600 });
  return {
    scope: '',
    ...google,
    clientId: client.id,
    clientSecret: client.secret,
    addresses: { api, authorize, token, revoke, userInfo, keyset },
    // Not the default: the key of this installation is nobody else's, not even a simulator's.
    webhookSecret: randomBytes(24).toString('base64url'),
    requestsPerMinute: REQUESTS_PER_MINUTE,
    values: { ...google?.values, PROJECT_ID: projectNumber, SERVICE_ACCOUNT_FILE: keyFile },
  };
}

function whoopSettings({ providers: { whoop } }: Settings, { urls, client }: WhoopSimulator) {
  const { api, authorize, token } = urls;
  return {
    scope: '',
    values: {},
    ...whoop,
    clientId: client.id,
    clientSecret: client.secret,
    addresses: { api, authorize, token },
    requestsPerMinute: REQUESTS_PER_MINUTE,
  };
}
