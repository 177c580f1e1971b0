import { isIP } from 'node:net';
import type { Settings } from './settings/settings.js';

/** Values of `sslmode` with which the driver always uses TLS. */
const TLS_MODES = ['prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/**
 * Returns the settings whose database is on another host and whose URL does not require TLS. Ignores host names without
 * a dot, such as a container's name, because they only exist in a private network.
 */
export function unencryptedDatabases({
  databaseUrl,
  mongodbUri,
}: Pick<Settings, 'databaseUrl' | 'mongodbUri'>): string[] {
  const found: string[] = [];
  if (databaseUrl !== undefined && isExposed(databaseUrl) && !usesTls(databaseUrl)) found.push('DATABASE_URL');
  if (mongodbUri !== undefined && isExposed(mongodbUri) && !mongoUsesTls(mongodbUri)) found.push('MONGODB_URI');
  return found;
}

function isExposed(url: string): boolean {
  // The Postgres driver prefers this parameter to the host of the URL.
  const host = url.startsWith('mongodb') ? undefined : optionsOf(url).get('host');
  if (host !== undefined) return isRemote(host);
  // A MongoDB URL can list several hosts, which URL cannot parse.
  const [, authority = ''] = /^[a-z+]+:\/\/(?:[^@/]*@)?([^/?]*)/.exec(url) ?? [];
  return authority
    .split(',')
    .some((address) => isRemote(decodeURIComponent(address.replace(/:\d+$/, '').replace(/^\[|\]$/g, ''))));
}

function isRemote(host: string): boolean {
  if (host === '' || host === 'localhost' || host === '::1' || host.startsWith('127.') || host.startsWith('/'))
    return false;
  return isIP(host) !== 0 || host.includes('.');
}

function usesTls(url: string): boolean {
  const options = optionsOf(url);
  return (
    options.get('ssl') === 'true' || options.get('ssl') === '1' || TLS_MODES.includes(options.get('sslmode') ?? '')
  );
}

function mongoUsesTls(url: string): boolean {
  const options = optionsOf(url);
  const isOn = options.get('tls') ?? options.get('ssl');
  // With mongodb+srv, the driver uses TLS by default.
  return isOn === undefined ? url.startsWith('mongodb+srv:') : isOn === 'true';
}

function optionsOf(url: string): { get(name: string): string | undefined } {
  const options = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');
  return { get: (name) => options.get(name) ?? undefined };
}
