import type { Provider } from '../provider.js';
import { vendorTerms } from '../terms.js';
import { POLAR_CLOUD } from './cloud.js';
import { POLAR_COVERAGE } from './coverage.js';

/** Polar: watches and sensors whose nights, days and exercises are in the vendor's cloud. */
export const POLAR: Provider = {
  id: 'polar',
  displayName: 'Polar',
  capabilities: { oauth: true, pull: true, push: false, file: false, webhook: true },
  terms: vendorTerms({}),
  coverage: POLAR_COVERAGE,
  cloud: POLAR_CLOUD,
  // Days of activity; of nights, recharges and exercises the vendor gives the last four weeks.
  maxHistoricalDays: 365,
};
