import type { Provider } from '../provider.js';
import { vendorTerms } from '../terms.js';
import { GOOGLE_CLOUD } from './cloud.js';
import { GOOGLE_COVERAGE } from './coverage.js';
import { GOOGLE_PUSH } from './push.js';

/** Google's health data: pushed by phones with Health Connect, and read from the cloud. */
export const GOOGLE: Provider = {
  id: 'google',
  displayName: 'Google Health',
  capabilities: { oauth: true, pull: true, push: true, file: false, webhook: true },
  terms: vendorTerms({
    archive: { value: 'deny', basis: 'read', source: 'developers.google.com/health, policy on data granularity' },
    research: {
      value: 'Approval by an ethics board',
      basis: 'read',
      source: 'developers.google.com/health, policy on research',
    },
  }),
  coverage: GOOGLE_COVERAGE,
  push: GOOGLE_PUSH,
  cloud: GOOGLE_CLOUD,
};
