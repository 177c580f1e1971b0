import type { Provider } from '../provider.js';
import { vendorTerms } from '../terms.js';
import { WHOOP_CLOUD } from './cloud.js';
import { WHOOP_COVERAGE } from './coverage.js';

/** WHOOP: a band whose nights, workouts and days are scored in the vendor's cloud. */
export const WHOOP: Provider = {
  id: 'whoop',
  displayName: 'Whoop',
  capabilities: { oauth: true, pull: true, push: false, file: false, webhook: true },
  terms: vendorTerms({}),
  coverage: WHOOP_COVERAGE,
  cloud: WHOOP_CLOUD,
};
