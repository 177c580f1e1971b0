import { connect } from 'node:net';
import type { Service } from '../compose.js';
import { type Profile, ProfileError, profilePath, readProfile, writeProfile } from '../profile.js';
import type { Role } from '../role.js';
import { serviceAddress } from '../service-address.js';
import type { Settings } from '../settings/settings.js';

/** healthctl's saved access to the started service. */
export interface SavedProfile {
  path: string;
  /** Context of this service; undefined without a credential for it. */
  context?: string | undefined;
  /** True if it is the default context. */
  isCurrent: boolean;
  /** URL of the context before this start; undefined if unchanged. */
  formerUrl?: string;
  /** Context with this service's key whose URL was not updated, because a service still responds at that URL. */
  inUse?: { name: string; url: string };
  /** Reason why the profile could not be saved, without a period. */
  problem?: string;
}

const FIRST_NAME = 'local';
/** Timeout of a connection attempt to a local URL. A URL that times out counts as responding. */
const CONNECT_TIMEOUT_MS = 2000;

/**
 * Updates healthctl's profile. The first start adds its credentials; a later start on another port or host updates the
 * URL. A context keeps its URL while a service responds there, because this service may be a restored copy with the
 * same keys. Never changes other services' contexts or an unreadable file.
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
  /** The updated profile; the passed object itself if nothing changed. */
  profile: Profile;
  name: string | undefined;
}

/** Adds this service to the profile or updates its URL. Returns the profile and the name of the service's context. */
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
  // Several processes on one machine may share an external database. The stored URL then belongs to another process.
  if (known || !first || settings.databaseUrl !== undefined) return { profile, name: (known ?? first)?.[0] };
  const withContext = (name: string, context: Context) => ({
    profile: { ...profile, contexts: { ...contexts, [name]: { ...context, url } } },
    name,
  });
  for (const [name, context] of own) {
    if (!(await isResponding(context.url))) return { ...withContext(name, context), formerUrl: context.url };
  }
  const [name, context] = own.at(-1) ?? first;
  return { ...withContext(nameFor(profile, url), context), inUse: { name, url: context.url } };
}

/**
 * Returns a context name by the rule of `healthctl login`: the existing context of this URL, otherwise `local`,
 * otherwise the host.
 */
function nameFor({ contexts }: Profile, url: string): string {
  const known = Object.keys(contexts).find((name) => contexts[name]?.url === url);
  if (known !== undefined) return known;
  const { host } = new URL(url);
  const names = [FIRST_NAME, host, ...Array.from({ length: 100 }, (_, n) => `${host}-${n + 2}`)];
  return names.find((name) => contexts[name] === undefined) ?? host;
}

type Context = Profile['contexts'][string] & { url: string };

/**
 * Returns the local contexts whose key belongs to this service. The current context is last, so that another context
 * gets the new URL first. Commands without --context use the current context. If this installation is a copy, the
 * current context may belong to the original.
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

/** True if a service accepts connections at this local URL. */
function isResponding(address: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80) });
  return new Promise<boolean>((done) => {
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => done(true));
  }).finally(() => socket.destroy());
}

/** True for a URL on this machine. Other URLs lead through a proxy or network and must not be changed. */
function isOnThisMachine(url: string): boolean {
  return URL.canParse(url) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);
}
