import type { RateLimits } from './rate-limit.js';

/** Start options of a WHOOP simulator; all are optional. */
export interface WhoopSimulatorOptions {
  /** Loopback port; 0, the default, selects a free one. */
  port?: number;
  /** Start of its clock, RFC 3339; the clock then advances. Default: the real time. */
  now?: string;
  /** Redirects from the authorize page immediately, without the consent form. Default false. */
  autoConsent?: boolean;
  /** Life of access tokens. Default 3600. */
  accessTokenSeconds?: number;
  limits?: Partial<RateLimits>;
}

/** Result of automatic consent. */
export interface AutomaticConsent {
  decision?: 'allow' | 'deny';
  /** Account that consents if the request has no `login_hint`; default the first one. */
  account?: string;
  /** Granted scopes, among the requested ones; default all. */
  scopes?: string[];
}
