import type { GarminPermission } from './wire-types.js';

/** What a Garmin simulator is started with. Everything has a default. */
export interface GarminSimulatorOptions {
  /** Loopback port; 0, the default, takes a free one. */
  port?: number;
  /** The instant at which its clock starts, RFC 3339; the clock then runs on. Default: the real time. */
  now?: string;
  /** Redirects from the authorize page immediately instead of showing the consent form. Default false. */
  autoConsent?: boolean;
  /** Life of access tokens. Default 86,400. */
  accessTokenSeconds?: number;
  /** Chooses the forms of accounts. Default 1. */
  seed?: number;
  limits?: Partial<GarminLimits>;
}

export interface GarminLimits {
  /** Requests of the application in a minute. Default 100. */
  requestsPerMinute: number;
  /** Days that exports may be requested for in a minute. Default 10,000. */
  exportDaysPerMinute: number;
}

/** The answer that automatic consent gives. */
export interface AutomaticGarminConsent {
  decision?: 'allow' | 'deny';
  /** Account that consents when the request names none by `login_hint`; default the first one. */
  account?: string;
  /** What is ticked; default everything. */
  permissions?: readonly GarminPermission[];
}
