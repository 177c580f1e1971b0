import type { Service } from '../compose.js';
import { type Profile, ProfileError, profilePath, readProfile, writeProfile } from '../profile.js';
import type { Role } from '../role.js';
import { serviceAddress } from '../service-address.js';
import type { Settings } from '../settings/settings.js';

/** How healthctl reaches the service that was started. */
export interface SavedProfile {
  path: string;
  /** What it calls this service; undefined where it has no credential for it. */
  context?: string | undefined;
  /** Whether that is what it calls when nothing else is named. */
  isCurrent: boolean;
  /** Why the profile could not be saved, without a full stop. */
  problem?: string;
}

const FIRST_NAME = 'local';

/**
 * Keeps healthctl's profile: the first start adds its credentials, a later one on another port or host its new address.
 * Contexts of other services stay as they are, and so does a file that cannot be read.
 */
export async function saveProfile(started: {
  settings: Settings;
  service: Service;
  role: Role;
}): Promise<SavedProfile> {
  const path = profilePath();
  if (started.role === 'worker') return { path, isCurrent: false };
  try {
    const known = await readProfile(path);
    const { profile, name } = await withService(known, started);
    if (profile !== known) await writeProfile(path, profile);
    return { path, context: name, isCurrent: name !== undefined && name === profile.current };
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    return { path, isCurrent: false, problem: error.message };
  }
}

/** The profile with this service in it, the same object when nothing is new, and the service's name in it. */
async function withService(
  profile: Profile,
  { settings, service }: { settings: Settings; service: Service },
): Promise<{ profile: Profile; name: string | undefined }> {
  const url = serviceAddress(settings.host, service.port);
  const { firstAccount, apiKeyHeader } = service;
  if (firstAccount) {
    const name = nameFor(profile, url);
    const { apiKey: api_key, refreshToken: refresh_token, email: developer_email } = firstAccount;
    const context = { url, api_key, refresh_token, developer_email, api_key_header: apiKeyHeader };
    const current = profile.current ?? name;
    return { profile: { ...profile, current, contexts: { ...profile.contexts, [name]: context } }, name };
  }
  const name = await nameOfOwn(profile, url, service);
  const context = name === undefined ? undefined : profile.contexts[name];
  // Several processes on one machine may share a real database: the address that is known is another one's then.
  if (name === undefined || context?.url === url || settings.databaseUrl !== undefined) return { profile, name };
  return { profile: { ...profile, contexts: { ...profile.contexts, [name]: { ...context, url } } }, name };
}

/** As `healthctl login` names a context: the one of this address, else `local`, else the host. */
function nameFor({ contexts }: Profile, url: string): string {
  const known = Object.keys(contexts).find((name) => contexts[name]?.url === url);
  if (known !== undefined) return known;
  const { host } = new URL(url);
  const names = [FIRST_NAME, host, ...Array.from({ length: 100 }, (_, n) => `${host}-${n + 2}`)];
  return names.find((name) => contexts[name] === undefined) ?? host;
}

/** The context whose key opens this service, of several the one with this address. */
async function nameOfOwn({ contexts }: Profile, url: string, service: Service): Promise<string | undefined> {
  const own: string[] = [];
  for (const [name, context] of Object.entries(contexts)) {
    const isHere = context.url === url || isOnThisMachine(context.url ?? '');
    if (isHere && context.api_key && (await service.ownsApiKey(context.api_key))) own.push(name);
  }
  return own.find((name) => contexts[name]?.url === url) ?? own[0];
}

/** An address that leads through a proxy or a network is not for this process to change. */
function isOnThisMachine(url: string): boolean {
  return URL.canParse(url) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);
}
