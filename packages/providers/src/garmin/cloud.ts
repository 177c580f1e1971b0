import type { CloudProvider } from '../cloud/index.js';
import { GARMIN_DELIVERIES, WEBHOOK_TOKEN } from './deliveries.js';
import { GARMIN_EXPORTS } from './exports.js';
import { GARMIN_OAUTH } from './oauth.js';
import { readGarminError } from './read-error.js';

/** The vendor's partner programme: data are pushed, the past is exported on request, and nothing can be read. */
export const GARMIN_CLOUD: CloudProvider = {
  settingsPrefix: 'GARMIN',
  settings: [
    {
      name: WEBHOOK_TOKEN,
      kind: 'text',
      secret: true,
      help: 'Token that deliveries carry as the query parameter token; enter it in the addresses in the vendor\u2019s portal. Unset: all deliveries are answered with 503',
    },
  ],
  addresses: {
    api: 'https://apis.garmin.com/wellness-api/rest',
    user: 'https://apis.garmin.com/partner-gateway/rest/user',
    authorize: 'https://connect.garmin.com/oauth2Confirm',
    token: 'https://diauth.garmin.com/di-oauth2-service/oauth/token',
  },
  // The vendor allows applications under evaluation 100 a minute, all people together.
  quotas: { perPersonAndMinute: 60, perApplicationAndMinute: 90 },
  maxResponseBytes: 64 * 1024,
  readError: readGarminError,
  oauth: GARMIN_OAUTH,
  deliveries: GARMIN_DELIVERIES,
  exports: GARMIN_EXPORTS,
};
