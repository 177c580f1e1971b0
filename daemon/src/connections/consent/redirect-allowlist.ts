import { unprocessable } from '../../platform/failures.js';

export interface RedirectRules {
  /** OAUTH_REDIRECT_ALLOWLIST; exact matches only. */
  allowlist: readonly string[] | undefined;
  /** Origin of the pages that are allowed without an allowlist. */
  apiBaseUrl: string;
  /** True to allow pages of this machine too if there is no allowlist, as in development. */
  allowLoopback: boolean;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Checks that users may be redirected to this URL after a consent, which prevents open redirects.
 * @returns the URL as browsers read it
 * @throws Failure `unprocessable`
 */
export function allowedRedirect(redirectUri: string, rules: RedirectRules, part: 'query' | 'body' = 'query'): string {
  if (isAllowed(redirectUri, rules)) return new URL(redirectUri).href;
  throw unprocessable(
    [part, 'redirect_uri'],
    'Value error, this URL is not allowed; list it in OAUTH_REDIRECT_ALLOWLIST',
    redirectUri,
  );
}

/**
 * Does the same as {@link allowedRedirect} for a caller without a credential. The URL is then required and must be
 * listed.
 */
export function listedRedirect(redirectUri: string | undefined, rules: RedirectRules): string {
  return allowedRedirect(redirectUri ?? '', { ...rules, allowlist: rules.allowlist ?? [] });
}

/**
 * Checks that a page of this origin may be notified of a consent's outcome: the origin must belong to an allowed
 * redirect URL.
 * @throws Failure `unprocessable`
 */
export function requireAllowedOpener(origin: string, rules: RedirectRules): void {
  const { allowlist } = rules;
  const isOrigin = URL.canParse(origin) && new URL(origin).origin === origin;
  const allowed = allowlist ? allowlist.some((entry) => new URL(entry).origin === origin) : isAllowed(origin, rules);
  if (isOrigin && allowed) return;
  throw unprocessable(
    ['body', 'opener_origin'],
    'Value error, this origin is not allowed; list one of its URLs in OAUTH_REDIRECT_ALLOWLIST',
    origin,
  );
}

function isAllowed(redirectUri: string, { allowlist, apiBaseUrl, allowLoopback }: RedirectRules): boolean {
  // Rejects backslashes. Browsers read a backslash as a slash, but other programs would see a different host.
  if (redirectUri.includes('\\') || !URL.canParse(redirectUri)) return false;
  const requested = new URL(redirectUri);
  if (allowlist) return allowlist.some((entry) => new URL(entry).href === requested.href);
  if (requested.protocol !== 'http:' && requested.protocol !== 'https:') return false;
  return requested.origin === new URL(apiBaseUrl).origin || (allowLoopback && LOOPBACK.test(requested.hostname));
}
