import type { GarminPermission } from './wire-types.js';

/** Start options of a Garmin simulator; all are optional. */
export interface GarminSimulatorOptions {
  /** Loopback port; 0, the default, selects a free one. */
  port?: number;
  /** Start of its clock, RFC 3339; the clock then advances. Default: the real time. */
  now?: string;
  /** Redirects from the authorize page immediately, without the consent form. Default false. */
  autoConsent?: boolean;
  /** Life of access tokens. Default 86,400. */
  accessTokenSeconds?: number;
  /** Seed of the accounts' formats. Default 1. */
  seed?: number;
  limits?: Partial<GarminLimits>;
}

export interface GarminLimits {
  /** Requests of the application per minute. Default 100. */
  requestsPerMinute: number;
  /** Days of history that may be requested per minute. Default 10,000. */
  exportDaysPerMinute: number;
}

/** Result of automatic consent. */
export interface AutomaticGarminConsent {
  decision?: 'allow' | 'deny';
  /** Account that consents if the request has no `login_hint`; default the first one. */
  account?: string;
  /** Granted permissions; default all. */
  permissions?: readonly GarminPermission[];
}
