import type { CloudProvider } from '../cloud/index.js';
import { WEBHOOK_TOLERANCE } from '../rest/index.js';
import { OURA_OAUTH } from './oauth.js';
import { OURA_PULL } from './pull/index.js';
import { OURA_SUBSCRIBERS } from './subscribers.js';
import { OURA_WORKOUTS } from './vendor-workouts.js';
import { OURA_WEBHOOK } from './webhook.js';

/** The vendor's API, version 2. */
export const OURA_CLOUD: CloudProvider = {
  settingsPrefix: 'OURA',
  settings: [WEBHOOK_TOLERANCE],
  addresses: {
    api: 'https://api.ouraring.com',
    authorize: 'https://cloud.ouraring.com/oauth/authorize',
    // Applications of the vendor's former portal have another one.
    token: 'https://moi.ouraring.com/oauth/v2/ext/oauth-token',
    revoke: 'https://moi.ouraring.com/oauth/v2/ext/oauth-revoke',
  },
  // 5,000 in five minutes are known of, for a person and for the application.
  quotas: { perPersonAndMinute: 300, perApplicationAndMinute: 900 },
  // A night with its stages and series has some 10 kB, a day with its minutes as much.
  maxResponseBytes: 16 * 1024 * 1024,
  readError: () => undefined,
  oauth: OURA_OAUTH,
  pull: OURA_PULL,
  workouts: OURA_WORKOUTS,
  webhook: OURA_WEBHOOK,
  subscribers: OURA_SUBSCRIBERS,
};
