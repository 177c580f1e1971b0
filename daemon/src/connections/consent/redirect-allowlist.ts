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
 * Whether people may be sent to this address after they consented, so that no one can use the service to send them
 * elsewhere.
 * @throws Failure `unprocessable`
 */
export function requireAllowedRedirect(
  redirectUri: string,
  rules: RedirectRules,
  part: 'query' | 'body' = 'query',
): void {
  if (isAllowed(redirectUri, rules)) return;
  throw unprocessable(
    [part, 'redirect_uri'],
    'Value error, this address is not allowed; it must be listed in OAUTH_REDIRECT_ALLOWLIST',
    redirectUri,
  );
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
  if (!URL.canParse(redirectUri)) return false;
  const wanted = new URL(redirectUri);
  if (allowlist) return allowlist.some((entry) => new URL(entry).href === wanted.href);
  if (wanted.protocol !== 'http:' && wanted.protocol !== 'https:') return false;
  return wanted.origin === new URL(apiBaseUrl).origin || (allowLoopback && LOOPBACK.test(wanted.hostname));
}
