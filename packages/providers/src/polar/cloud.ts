import type { CloudProvider } from '../cloud/index.js';
import { POLAR_OAUTH } from './oauth.js';
import { POLAR_PULL, READ_SAMPLES } from './pull/index.js';
import { remaining } from './rate-limit.js';
import { readPolarError } from './read-error.js';
import { POLAR_SUBSCRIBERS } from './subscribers.js';
import { POLAR_WORKOUTS } from './vendor-workouts.js';
import { POLAR_WEBHOOK } from './webhook.js';

/** The vendor's API AccessLink, version 3. */
export const POLAR_CLOUD: CloudProvider = {
  settingsPrefix: 'POLAR',
  settings: [
    {
      name: READ_SAMPLES,
      kind: 'boolean',
      default: 'false',
      help: 'Whether the readings of an exercise are read too: heart rate, speed, cadence, power, height, positions. Takes a request for each exercise',
    },
  ],
  addresses: {
    api: 'https://www.polaraccesslink.com',
    authorize: 'https://flow.polar.com/oauth2/authorization',
    token: 'https://polarremote.com/v2/oauth2/token',
  },
  // 500 in a quarter of an hour and 5,000 a day, and more for each person; the answers say what there is.
  quotas: {
    perPersonAndMinute: 60,
    perApplicationAndMinute: 300,
    perApplicationAndDay: 5_000,
    perPersonAndDay: 100,
    limitsInAnswers: true,
    remaining,
  },
  // Four weeks of heart rates, or an exercise second by second.
  maxResponseBytes: 32 * 1024 * 1024,
  readError: readPolarError,
  oauth: POLAR_OAUTH,
  pull: POLAR_PULL,
  workouts: POLAR_WORKOUTS,
  webhook: POLAR_WEBHOOK,
  subscribers: POLAR_SUBSCRIBERS,
};
