import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import type { Profile, StoredContext } from './profile-file.js';
import type { ProjectFile } from './project-file.js';

export const DEFAULT_URL = 'http://localhost:8000';
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** Origin of a value. */
type Origin = 'flag' | 'environment' | 'project file' | 'user file' | 'default';

/** Service and credential. */
export interface Connection {
  url: string;
  urlOrigin: Origin;
  /** Context whose stored credentials are used, if any. */
  contextName?: string;
  /** The secret of HEALTHCTL_TOKEN. */
  token?: string;
  stored?: StoredContext;
}

export interface ConnectionSources {
  flags: { url?: string; context?: string };
  env: NodeJS.ProcessEnv;
  project?: ProjectFile;
  profile: Profile;
}

/**
 * Selects the service and its credential. Precedence: flag, environment, project file, user file, default. Uses stored
 * credentials only for the URL that they were stored for. Never uses HEALTHCTL_TOKEN for a URL from a project file,
 * because a checked-out project could otherwise steal the token.
 * @throws CliError `unknown_context`, `address_invalid`
 */
export function resolveConnection(sources: ConnectionSources): Connection {
  const { flags, env, project, profile } = sources;
  const named = flags.context ?? project?.context;
  if (named !== undefined && !profile.contexts[named]) throw unknownContext(named, profile);
  const selected = named ?? profile.current;
  const address = addressOf(sources, selected === undefined ? undefined : profile.contexts[selected]);
  const url = normalizeUrl(address.url);
  const tokenAllowed = flags.context === undefined && address.origin !== 'project file';
  if (env.HEALTHCTL_TOKEN && tokenAllowed) return { url, urlOrigin: address.origin, token: env.HEALTHCTL_TOKEN };
  const contextName = contextFor(url, selected, profile);
  const stored = contextName === undefined ? undefined : profile.contexts[contextName];
  return { url, urlOrigin: address.origin, contextName, stored };
}

function addressOf(
  { flags, env, project }: ConnectionSources,
  context: StoredContext | undefined,
): { url: string; origin: Origin } {
  if (flags.url) return { url: flags.url, origin: 'flag' };
  if (flags.context && context) return { url: context.url, origin: 'flag' };
  if (env.HEALTHCTL_URL) return { url: env.HEALTHCTL_URL, origin: 'environment' };
  if (project?.url) return { url: project.url, origin: 'project file' };
  if (context) return { url: context.url, origin: 'user file' };
  return { url: DEFAULT_URL, origin: 'default' };
}

function contextFor(url: string, selected: string | undefined, profile: Profile): string | undefined {
  const fits = (name: string) => {
    const stored = profile.contexts[name];
    return stored !== undefined && isSameService(stored.url, url);
  };
  if (selected !== undefined && fits(selected)) return selected;
  return Object.keys(profile.contexts).find(fits);
}

/**
 * True if two URLs lead to the same service. Treats all local names, such as `localhost` and `127.0.0.1`, as equal.
 * @throws CliError `address_invalid`
 */
export function isSameService(first: string, second: string): boolean {
  return withOneLoopback(normalizeUrl(first)) === withOneLoopback(normalizeUrl(second));
}

function withOneLoopback(address: string): string {
  const url = new URL(address);
  if (LOOPBACK_NAMES.includes(url.hostname)) url.hostname = 'localhost';
  return url.origin;
}

/** Characters of host names, IP addresses and ports. Other URL characters, such as `&`, are special in shells. */
const HOST = /^[\w.:[\]-]+$/;

/** Normalizes a URL: scheme and host, no trailing slash. @throws CliError `address_invalid` */
export function normalizeUrl(text: string): string {
  const withScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!url || !isHttp || url.username || url.password || !HOST.test(url.host)) {
    throw new CliError('address_invalid', `${text} is not a service URL.`, {
      hint: 'Enter a URL like https://health.example.org or http://localhost:8000.',
      exitCode: EXIT.usage,
    });
  }
  return url.origin;
}

function unknownContext(name: string, profile: Profile): CliError {
  const known = Object.keys(profile.contexts);
  return new CliError('unknown_context', `Context ${name} not found.`, {
    hint: known.length
      ? `Known: ${known.join(', ')}. \`healthctl login --context ${name} --url …\` adds it.`
      : `\`healthctl login --context ${name} --url …\` adds it.`,
    exitCode: EXIT.usage,
  });
}
