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
 * Whether people may be sent to this address after they consented, so that nobody can use the service to send them
 * elsewhere.
 * @throws Failure `unprocessable`
 */
export function requireAllowedRedirect(redirectUri: string, rules: RedirectRules): void {
  if (isAllowed(redirectUri, rules)) return;
  throw unprocessable(
    ['query', 'redirect_uri'],
    'Value error, this address is not allowed; it must be listed in OAUTH_REDIRECT_ALLOWLIST',
    redirectUri,
  );
}

function isAllowed(redirectUri: string, { allowlist, apiBaseUrl, allowLoopback }: RedirectRules): boolean {
  if (!URL.canParse(redirectUri)) return false;
  const wanted = new URL(redirectUri);
  if (allowlist) return allowlist.some((entry) => new URL(entry).href === wanted.href);
  if (wanted.protocol !== 'http:' && wanted.protocol !== 'https:') return false;
  return wanted.origin === new URL(apiBaseUrl).origin || (allowLoopback && LOOPBACK.test(wanted.hostname));
}
