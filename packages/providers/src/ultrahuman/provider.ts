import type { Provider } from '../provider.js';
import { vendorTerms } from '../terms.js';
import { ULTRAHUMAN_CLOUD } from './cloud.js';
import { ULTRAHUMAN_COVERAGE } from './coverage.js';

/** Ultrahuman: a ring and a sensor of glucose, read day by day; there are no webhooks. */
export const ULTRAHUMAN: Provider = {
  id: 'ultrahuman',
  displayName: 'Ultrahuman',
  capabilities: { oauth: true, pull: true, push: false, file: false, webhook: false },
  terms: vendorTerms({}),
  coverage: ULTRAHUMAN_COVERAGE,
  cloud: ULTRAHUMAN_CLOUD,
};
