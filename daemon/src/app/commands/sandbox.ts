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

/** Simulated vendors on this machine, for trying the service without an account at a real one. */
export interface Sandbox {
  /** The given ones, with the providers' addresses and credentials replaced. */
  settings: Settings;
  stop(): Promise<void>;
}

const HISTORY_DAYS = 90;
/** A newcomer should not wait for the vendor's quota. */
const REQUESTS_PER_MINUTE = 6000;
/** How often the lives of made-up people go on. */
const GROWTH_MS = MS_PER_MINUTE;

const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** People who can consent: one near, one far away. */
const PEOPLE = [
  { id: 'alex', seed: 11, timeZone: HERE },
  { id: 'kim', seed: 12, timeZone: 'America/Los_Angeles' },
];
/** A person whom the vendor has no health data of. */
const WITHOUT_DATA = { id: 'no-health-profile', state: 'not_linked' } as const;

/**
 * Starts simulated vendors and points the providers' settings at them. They live as long as the process: connections made
 * to them must be made again after the next start, their data stay.
 * @throws SettingsError when the database has connections to real vendors: a simulator would end them
 */
export async function startSandbox(settings: Settings, databaseUrl: string, log: Logger): Promise<Sandbox> {
  if (!isMarkedSandbox(settings) && (await hasConnections(databaseUrl))) {
    throw new SettingsError([
      `SANDBOX cannot be used with ${settings.dataDir}: it has connections to real vendors. Set another DATA_DIR`,
    ]);
  }
  // Loaded only here: nothing else uses it.
  const { SIMULATED_VENDORS, eventTargetMethod } = await import('@healthd/simulators');
  const vendors = new Map<ProviderId, RunningVendor>();
  for (const { id, start } of SIMULATED_VENDORS) {
    const vendor = await start({ requestsPerMinute: REQUESTS_PER_MINUTE });
    vendors.set(id, vendor);
    await addPeople(vendor);
    const method = eventTargetMethod(vendor.control);
    if (method) await vendor.control[method]?.({ url: `${settings.apiBaseUrl}/api/v1/providers/${id}/webhooks` });
  }
  await vendors.get('google')?.control.addAccount({ ...WITHOUT_DATA, timeZone: HERE });
  const growth = setInterval(() => void growAll(vendors.values(), log), GROWTH_MS);
  growth.unref();
  log.warn(
    { event: 'sandbox_started', providers: [...vendors.keys()] },
    'Started the sandbox in place of the vendors: their accounts and data are made up',
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

/** After a start with real vendors the connections may be real ones, which the sandbox must not touch any more. */
export async function leaveSandbox(settings: Settings): Promise<void> {
  const usesRealVendors = Object.values(settings.providers).some(({ clientId }) => clientId !== undefined);
  if (usesRealVendors) await rm(keyFileOf(settings), { force: true });
}

/** True if the connections in this data directory lead to simulated vendors. */
export function isMarkedSandbox(settings: Settings): boolean {
  return existsSync(keyFileOf(settings));
}

/** Marks a restored data directory as its backup was. The next start of the sandbox writes the key itself. */
export async function restoreSandboxMark(settings: Settings, isSandbox: boolean): Promise<void> {
  if (isSandbox) await writeFile(keyFileOf(settings), '{}', { mode: 0o600 });
  else await rm(keyFileOf(settings), { force: true });
}

/** Its being there also says that the connections in this data directory are the sandbox's own. */
function keyFileOf({ dataDir }: Settings): string {
  return join(dataDir, 'sandbox-service-account.json');
}

/** Asked before the schema is up to date, so the table may be missing. */
function hasConnections(url: string): Promise<boolean> {
  return withClient({ url, applicationName: 'healthd sandbox' }, async (client) => {
    const table = await client.query<{ exists: boolean }>(`select to_regclass('connection') is not null as exists`);
    if (!table.rows[0]?.exists) return false;
    const found = await client.query('select 1 from connection where access_token is not null limit 1');
    return found.rows.length > 0;
  });
}

async function addPeople({ control }: RunningVendor): Promise<void> {
  for (const { seed, ...person } of PEOPLE) {
    await control.addAccount(person);
    await control.seedHistory(person.id, { seed, days: HISTORY_DAYS, density: 'light' });
  }
}

/** A person without a history, whom a developer added, does not grow; the others do. */
async function growAll(vendors: Iterable<RunningVendor>, log: Logger): Promise<void> {
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
 * The settings of a provider with a simulator in place of its vendor.
 * @param keyFile where the key of a service account goes
 */
async function connectedTo(
  { urls, client, settings, control, projectNumber }: RunningVendor,
  own: ProviderSettings,
  keyFile: string,
): Promise<ProviderSettings> {
  const key = await control.serviceAccountKey?.();
  if (key !== undefined) await writeFile(keyFile, JSON.stringify(key), { mode: 0o600 });
  // An address that the simulator does not have must not stay the real vendor's.
  const addresses = Object.keys(own.addresses).map((name) => [name, urls[name] ?? urls.origin]);
  return {
    ...own,
    clientId: client.id,
    clientSecret: client.secret,
    addresses: Object.fromEntries(addresses) as ProviderSettings['addresses'],
    // Not the default: the key of this installation is no one else's, not even a simulator's.
    webhookSecret: randomBytes(24).toString('base64url'),
    requestsPerMinute: REQUESTS_PER_MINUTE,
    values: {
      ...own.values,
      ...settings,
      ...(key !== undefined && { PROJECT_ID: projectNumber, SERVICE_ACCOUNT_FILE: keyFile }),
    },
  };
}
