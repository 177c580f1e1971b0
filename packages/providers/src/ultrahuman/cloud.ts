import type { CloudProvider } from '../cloud/index.js';
import { ULTRAHUMAN_OAUTH } from './oauth.js';
import { ULTRAHUMAN_PULL } from './pull/index.js';

/** The vendor's API for partners, version 1. */
export const ULTRAHUMAN_CLOUD: CloudProvider = {
  settingsPrefix: 'ULTRAHUMAN',
  settings: [],
  addresses: {
    api: 'https://partner.ultrahuman.com/api/partners/v1',
    authorize: 'https://auth.ultrahuman.com/authorise',
    token: 'https://partner.ultrahuman.com/api/partners/oauth/token',
    revoke: 'https://partner.ultrahuman.com/api/partners/oauth/revoke',
  },
  // The vendor publishes no limits; a backfill is a request a day of it.
  quotas: { perPersonAndMinute: 60, perApplicationAndMinute: 300 },
  // A day of readings has some 100 kB.
  maxResponseBytes: 8 * 1024 * 1024,
  readError: () => undefined,
  oauth: ULTRAHUMAN_OAUTH,
  pull: ULTRAHUMAN_PULL,
};
