import type { CloudProvider } from '../cloud/index.js';
import { WEBHOOK_TOLERANCE } from '../rest/index.js';
import { WHOOP_OAUTH } from './oauth.js';
import { WHOOP_PULL } from './pull/index.js';
import { remaining } from './rate-limit.js';
import { readWhoopError } from './read-error.js';
import { WHOOP_WORKOUTS } from './vendor-workouts.js';
import { WHOOP_WEBHOOK } from './webhook.js';

/** The vendor's API, version 2. The address of the webhook is typed into its developer dashboard. */
export const WHOOP_CLOUD: CloudProvider = {
  settingsPrefix: 'WHOOP',
  settings: [WEBHOOK_TOLERANCE],
  addresses: {
    api: 'https://api.prod.whoop.com/developer',
    authorize: 'https://api.prod.whoop.com/oauth/oauth2/auth',
    token: 'https://api.prod.whoop.com/oauth/oauth2/token',
  },
  // The vendor allows the application 100 a minute and 10,000 a day, all people together.
  quotas: {
    perPersonAndMinute: 60,
    perApplicationAndMinute: 90,
    perApplicationAndDay: 9_500,
    remaining: (headers) => [remaining(headers) ?? []].flat(),
  },
  // A page has 25 records of less than 2 kB.
  maxResponseBytes: 1024 * 1024,
  readError: readWhoopError,
  oauth: WHOOP_OAUTH,
  pull: WHOOP_PULL,
  workouts: WHOOP_WORKOUTS,
  webhook: WHOOP_WEBHOOK,
};
