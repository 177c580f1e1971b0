import type { Provider } from '../provider.js';
import { vendorTerms } from '../terms.js';
import { GARMIN_CLOUD } from './cloud.js';
import { GARMIN_COVERAGE } from './coverage.js';

/** Garmin: watches and scales whose data the vendor pushes. */
export const GARMIN: Provider = {
  id: 'garmin',
  displayName: 'Garmin',
  capabilities: { oauth: true, pull: false, push: false, file: false, webhook: true },
  terms: vendorTerms({
    attribution: { value: 'Garmin', basis: 'read', source: 'developer.garmin.com, brand guidelines' },
  }),
  coverage: GARMIN_COVERAGE,
  cloud: GARMIN_CLOUD,
  maxHistoricalDays: 30,
};
