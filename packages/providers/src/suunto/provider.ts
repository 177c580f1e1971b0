import type { Provider } from '../provider.js';
import { vendorTerms } from '../terms.js';
import { SUUNTO_CLOUD } from './cloud.js';
import { SUUNTO_COVERAGE } from './coverage.js';

/** Suunto: sports watches whose data can be read, and are pushed too. */
export const SUUNTO: Provider = {
  id: 'suunto',
  displayName: 'Suunto',
  capabilities: { oauth: true, pull: true, push: false, file: false, webhook: true },
  terms: vendorTerms({}),
  coverage: SUUNTO_COVERAGE,
  cloud: SUUNTO_CLOUD,
};
