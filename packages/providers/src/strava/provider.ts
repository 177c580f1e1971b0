import type { Provider } from '../provider.js';
import { STRAVA_CLOUD } from './cloud.js';
import { STRAVA_COVERAGE } from './coverage.js';

/** Strava: activities that people share, recorded with the devices of many vendors. */
export const STRAVA: Provider = {
  id: 'strava',
  displayName: 'Strava',
  capabilities: { oauth: true, pull: true, push: false, file: false, webhook: true },
  coverage: STRAVA_COVERAGE,
  cloud: STRAVA_CLOUD,
};
