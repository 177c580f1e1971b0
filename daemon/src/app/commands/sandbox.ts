import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MS_PER_MINUTE, type ProviderId } from '@healthd/model';
import type { RunningVendor } from '@healthd/simulators';
import type { Logger } from 'pino';
import { withClient } from '../../platform/database/index.js';
import { SettingsError } from '../../platform/settings-error.js';
import type { ProviderSettings } from '../settings/provider-settings.js';
import type { Settings } from '../settings/settings.js';

/** Simulated vendors on this machine, for trying the service without a vendor account. */
export interface Sandbox {
  /** Settings with the providers' URLs and credentials replaced. */
  settings: Settings;
  stop(): Promise<void>;
}

const HISTORY_DAYS = 90;
/** Request quota of a simulated vendor: high, so that a new user never waits for it. */
const REQUESTS_PER_MINUTE = 6000;
/** Interval at which simulated users get new data. */
const GROWTH_MS = MS_PER_MINUTE;

const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** Simulated users who can consent: one in the local time zone, and one in a distant one. */
const ACCOUNTS = [
  { id: 'alex', seed: 11, timeZone: HERE },
  { id: 'kim', seed: 12, timeZone: 'America/Los_Angeles' },
];
/** A simulated user without health data at the vendor. */
const WITHOUT_DATA = { id: 'no-health-profile', state: 'not_linked' } as const;

/**
 * Starts simulated vendors and changes the providers' settings to use them. The simulators end with the process. After
 * the next start, users must therefore connect again, but stored data is kept.
 * @throws SettingsError if the database has connections to real vendors, which a simulator would end
 */
export async function startSandbox(settings: Settings, databaseUrl: string, log: Logger): Promise<Sandbox> {
  if (!isMarkedSandbox(settings) && (await hasConnections(databaseUrl))) {
    throw new SettingsError([
      `SANDBOX cannot be used with the data directory ${settings.dataDir}, because it has connections to real vendors. Set another DATA_DIR`,
    ]);
  }
  // Loaded on demand, because only the sandbox needs the simulators.
  const { SIMULATED_VENDORS, eventTargetMethod } = await import('@healthd/simulators');
  const vendors = new Map<ProviderId, RunningVendor>();
  for (const { id, start } of SIMULATED_VENDORS) {
    const vendor = await start({ requestsPerMinute: REQUESTS_PER_MINUTE });
    vendors.set(id, vendor);
    await addUsers(vendor);
    const method = eventTargetMethod(vendor.control);
    if (method) await vendor.control[method]?.({ url: `${settings.apiBaseUrl}/api/v1/providers/${id}/webhooks` });
  }
  await vendors.get('google')?.control.addAccount({ ...WITHOUT_DATA, timeZone: HERE });
  const growth = setInterval(() => void addHistory(vendors.values(), log), GROWTH_MS);
  growth.unref();
  log.warn(
    { event: 'sandbox_started', providers: [...vendors.keys()] },
    'Started the sandbox instead of real vendors: accounts and data are simulated',
  );
  const providers = { ...settings.providers };
  for (const [id, vendor] of vendors) {
    const own = settings.providers[id];
    if (own) providers[id] = await connectedTo(vendor, own, keyFileOf(settings));
  }
  return {
    settings: { ...settings, providers },
    async stop() {
      clearInterval(growth);
      await Promise.all([...vendors.values()].map((vendor) => vendor.close()));
    },
  };
}

/**
 * Removes the sandbox mark on a start with real vendors: connections may be real from then on, and the sandbox must
 * never use them.
 */
export async function leaveSandbox(settings: Settings): Promise<void> {
  const usesRealVendors = Object.values(settings.providers).some(({ clientId }) => clientId !== undefined);
  if (usesRealVendors) await rm(keyFileOf(settings), { force: true });
}

/** True if the connections in this data directory lead to simulated vendors. */
export function isMarkedSandbox(settings: Settings): boolean {
  return existsSync(keyFileOf(settings));
}

/**
 * Sets or removes the sandbox mark of a restored data directory, as in its backup. The next start of the sandbox writes
 * the key.
 */
export async function restoreSandboxMark(settings: Settings, isSandbox: boolean): Promise<void> {
  if (isSandbox) await writeFile(keyFileOf(settings), '{}', { mode: 0o600 });
  else await rm(keyFileOf(settings), { force: true });
}

/**
 * Returns the path of the simulated service account's key. The file is also the sandbox mark: if it exists, the
 * connections in this data directory lead to simulators.
 */
function keyFileOf({ dataDir }: Settings): string {
  return join(dataDir, 'sandbox-service-account.json');
}

/**
 * True if the database has connections with tokens. Runs before the schema is up to date, so the table may be missing.
 */
function hasConnections(url: string): Promise<boolean> {
  return withClient({ url, applicationName: 'healthd sandbox' }, async (client) => {
    const table = await client.query<{ exists: boolean }>(`select to_regclass('connection') is not null as exists`);
    if (!table.rows[0]?.exists) return false;
    const found = await client.query('select 1 from connection where access_token is not null limit 1');
    return found.rows.length > 0;
  });
}

async function addUsers({ control }: RunningVendor): Promise<void> {
  for (const { seed, ...account } of ACCOUNTS) {
    await control.addAccount(account);
    await control.seedHistory(account.id, { seed, days: HISTORY_DAYS, density: 'light' });
  }
}

/**
 * Adds new data for all users. Only logs a failure, because a user whom a developer added may have no history to
 * extend.
 */
async function addHistory(vendors: Iterable<RunningVendor>, log: Logger): Promise<void> {
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

/**
 * Returns the provider's settings with the simulator's URLs and credentials.
 * @param keyFile path for the service account's key
 */
async function connectedTo(
  { urls, client, settings, control, projectNumber }: RunningVendor,
  own: ProviderSettings,
  keyFile: string,
): Promise<ProviderSettings> {
  const key = await control.serviceAccountKey?.();
  if (key !== undefined) await writeFile(keyFile, JSON.stringify(key), { mode: 0o600 });
  // A URL that the simulator lacks must not lead to the real vendor.
  const addresses = Object.keys(own.addresses).map((name) => [name, urls[name] ?? urls.origin]);
  return {
    ...own,
    clientId: client.id,
    clientSecret: client.secret,
    addresses: Object.fromEntries(addresses) as ProviderSettings['addresses'],
    // Uses a random secret instead of the default secret, which is a key of this installation. Not even a simulator may
    // receive that key.
    webhookSecret: randomBytes(24).toString('base64url'),
    requestsPerMinute: REQUESTS_PER_MINUTE,
    values: {
      ...own.values,
      ...settings,
      ...(key !== undefined && { PROJECT_ID: projectNumber, SERVICE_ACCOUNT_FILE: keyFile }),
    },
  };
}
