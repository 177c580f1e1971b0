import type { Provider } from '../provider.js';
import { vendorTerms } from '../terms.js';
import { OURA_CLOUD } from './cloud.js';
import { OURA_COVERAGE } from './coverage.js';

/** Oura: a ring whose nights and days are scored in the vendor's cloud. */
export const OURA: Provider = {
  id: 'oura',
  displayName: 'Oura',
  capabilities: { oauth: true, pull: true, push: false, file: false, webhook: true },
  terms: vendorTerms({}),
  coverage: OURA_COVERAGE,
  cloud: OURA_CLOUD,
};
