import type { RateLimits } from './rate-limit.js';

/** What a WHOOP simulator is started with. Everything has a default. */
export interface WhoopSimulatorOptions {
  /** Loopback port; 0, the default, takes a free one. */
  port?: number;
  /** The instant at which its clock starts, RFC 3339; the clock then runs on. Default: the real time. */
  now?: string;
  /** Redirects from the authorize page immediately instead of showing the consent form. Default false. */
  autoConsent?: boolean;
  /** Life of access tokens. Default 3600. */
  accessTokenSeconds?: number;
  limits?: Partial<RateLimits>;
}

/** The answer that automatic consent gives. */
export interface AutomaticConsent {
  decision?: 'allow' | 'deny';
  /** Account that consents when the request names none by `login_hint`; default the first one. */
  account?: string;
  /** Scopes that are ticked, of those asked for; default all. */
  scopes?: string[];
}
