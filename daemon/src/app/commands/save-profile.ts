import { connect } from 'node:net';
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
  /** Address that the context had before this start; undefined if the address is the same. */
  formerUrl?: string;
  /** Context with this service's key that keeps its address, because something answers there; this service got another. */
  inUse?: { name: string; url: string };
  /** Why the profile could not be saved, without a full stop. */
  problem?: string;
}

const FIRST_NAME = 'local';
/** An address on this machine that takes longer counts as one that answers. */
const ANSWER_WITHIN_MS = 2000;

/**
 * Keeps healthctl's profile: the first start adds its credentials, a later one on another port or host its new address.
 * A context keeps its address while something answers there, because a restored copy has the keys of its original.
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
    const { profile, name, ...changes } = await withService(known, started);
    if (profile !== known) await writeProfile(path, profile);
    return { path, context: name, isCurrent: name !== undefined && name === profile.current, ...changes };
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    return { path, isCurrent: false, problem: error.message };
  }
}

interface WithService extends Pick<SavedProfile, 'formerUrl' | 'inUse'> {
  /** The same object if nothing is new. */
  profile: Profile;
  name: string | undefined;
}

/** Adds this service to the profile. Returns the profile and the service's name in it. */
async function withService(
  profile: Profile,
  { settings, service }: { settings: Settings; service: Service },
): Promise<WithService> {
  const url = serviceAddress(settings.host, service.port);
  const { contexts } = profile;
  const { firstAccount, apiKeyHeader } = service;
  if (firstAccount) {
    const name = nameFor(profile, url);
    const { apiKey: api_key, refreshToken: refresh_token, email: developer_email } = firstAccount;
    const context = { url, api_key, refresh_token, developer_email, api_key_header: apiKeyHeader };
    const current = profile.current ?? name;
    return { profile: { ...profile, current, contexts: { ...contexts, [name]: context } }, name };
  }
  const own = await ownContexts(profile, url, service);
  const [first] = own;
  const known = own.find(([, context]) => context.url === url);
  // Several processes on one machine may share a real database: the address that is known is another one's then.
  if (known || !first || settings.databaseUrl !== undefined) return { profile, name: (known ?? first)?.[0] };
  const withContext = (name: string, context: Context) => ({
    profile: { ...profile, contexts: { ...contexts, [name]: { ...context, url } } },
    name,
  });
  for (const [name, context] of own) {
    if (!(await answers(context.url))) return { ...withContext(name, context), formerUrl: context.url };
  }
  const [name, context] = own.at(-1) ?? first;
  return { ...withContext(nameFor(profile, url), context), inUse: { name, url: context.url } };
}

/** As `healthctl login` names a context: the one of this address, else `local`, else the host. */
function nameFor({ contexts }: Profile, url: string): string {
  const known = Object.keys(contexts).find((name) => contexts[name]?.url === url);
  if (known !== undefined) return known;
  const { host } = new URL(url);
  const names = [FIRST_NAME, host, ...Array.from({ length: 100 }, (_, n) => `${host}-${n + 2}`)];
  return names.find((name) => contexts[name] === undefined) ?? host;
}

type Context = Profile['contexts'][string] & { url: string };

/**
 * Contexts on this machine whose key opens this service, by name. The current one is last: commands without --context go
 * there, so a copy moves another one first.
 */
async function ownContexts(
  { contexts, current }: Profile,
  address: string,
  service: Service,
): Promise<[string, Context][]> {
  const own: [string, Context][] = [];
  for (const [name, { url = '', ...context }] of Object.entries(contexts)) {
    const isHere = url === address || isOnThisMachine(url);
    if (isHere && context.api_key && (await service.ownsApiKey(context.api_key))) own.push([name, { ...context, url }]);
  }
  return own.sort(([one], [other]) => Number(one === current) - Number(other === current));
}

/** True if something accepts connections at an address on this machine. */
function answers(address: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80) });
  return new Promise<boolean>((done) => {
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
    socket.setTimeout(ANSWER_WITHIN_MS, () => done(true));
  }).finally(() => socket.destroy());
}

/** An address that leads through a proxy or a network is not for this process to change. */
function isOnThisMachine(url: string): boolean {
  return URL.canParse(url) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);
}
