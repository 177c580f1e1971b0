import type { Provider } from '../provider.js';
import { vendorTerms } from '../terms.js';
import { STRAVA_CLOUD } from './cloud.js';
import { STRAVA_COVERAGE } from './coverage.js';

const AGREEMENT = 'Strava API Agreement and API Policy of 2026-06-01';

/** Strava: activities that people share, recorded with the devices of many vendors. */
export const STRAVA: Provider = {
  id: 'strava',
  displayName: 'Strava',
  capabilities: { oauth: true, pull: true, push: false, file: false, webhook: true },
  terms: vendorTerms({
    assistants: { value: 'deny', basis: 'quoted', source: `${AGREEMENT}, section 5.3` },
    combine: { value: 'deny', basis: 'quoted', source: `${AGREEMENT}, section 5.4` },
    cacheDays: { value: 7, basis: 'quoted', source: `${AGREEMENT}, section 5.5` },
    onDisconnect: { value: 'delete', basis: 'quoted', source: AGREEMENT },
    attribution: { value: 'Powered by Strava', basis: 'quoted', source: 'Strava API Brand Guidelines' },
  }),
  coverage: STRAVA_COVERAGE,
  cloud: STRAVA_CLOUD,
};
