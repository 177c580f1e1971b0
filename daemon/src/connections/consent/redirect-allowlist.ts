import { unprocessable } from '../../platform/failures.js';

export interface RedirectRules {
  /** OAUTH_REDIRECT_ALLOWLIST: matched exactly. */
  allowlist: readonly string[] | undefined;
  /** Without a list: pages of this origin. */
  apiBaseUrl: string;
  /** Without a list: pages of this machine too, as on a developer's. */
  allowLoopback: boolean;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Checks that people may be sent to this address after they consented, so that no one can use the service to send them
 * elsewhere.
 * @returns the address as browsers read it
 * @throws Failure `unprocessable`
 */
export function allowedRedirect(redirectUri: string, rules: RedirectRules, part: 'query' | 'body' = 'query'): string {
  if (isAllowed(redirectUri, rules)) return new URL(redirectUri).href;
  throw unprocessable(
    [part, 'redirect_uri'],
    'Value error, this address is not allowed; it must be listed in OAUTH_REDIRECT_ALLOWLIST',
    redirectUri,
  );
}

/** As {@link allowedRedirect}, for a caller without a credential: the address is required and must be listed. */
export function listedRedirect(redirectUri: string | undefined, rules: RedirectRules): string {
  return allowedRedirect(redirectUri ?? '', { ...rules, allowlist: rules.allowlist ?? [] });
}

/**
 * Whether a page of this origin may be notified how a consent ended: the origin of an address that people may be sent to.
 * @throws Failure `unprocessable`
 */
export function requireAllowedOpener(origin: string, rules: RedirectRules): void {
  const { allowlist } = rules;
  const isOrigin = URL.canParse(origin) && new URL(origin).origin === origin;
  const allowed = allowlist ? allowlist.some((entry) => new URL(entry).origin === origin) : isAllowed(origin, rules);
  if (isOrigin && allowed) return;
  throw unprocessable(
    ['body', 'opener_origin'],
    'Value error, this origin is not allowed; an address of it must be listed in OAUTH_REDIRECT_ALLOWLIST',
    origin,
  );
}

function isAllowed(redirectUri: string, { allowlist, apiBaseUrl, allowLoopback }: RedirectRules): boolean {
  // Browsers read a backslash as a slash, other programs do not: they would see another host.
  if (redirectUri.includes('\\') || !URL.canParse(redirectUri)) return false;
  const wanted = new URL(redirectUri);
  if (allowlist) return allowlist.some((entry) => new URL(entry).href === wanted.href);
  if (wanted.protocol !== 'http:' && wanted.protocol !== 'https:') return false;
  return wanted.origin === new URL(apiBaseUrl).origin || (allowLoopback && LOOPBACK.test(wanted.hostname));
}
