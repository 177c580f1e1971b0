import { pushCoverage } from '../device-push/index.js';
import type { Provider } from '../provider.js';
import { vendorTerms } from '../terms.js';
import { APPLE_COVERAGE } from './coverage.js';
import { APPLE_FILE } from './file.js';
import { APPLE_PUSH } from './push.js';

const pushed = pushCoverage(APPLE_COVERAGE.series);

/** Apple's store on the phone. It has no server to query, so data arrives from a client on the phone or as a file. */
export const APPLE: Provider = {
  id: 'apple',
  displayName: 'Apple Health',
  capabilities: { oauth: false, pull: false, push: true, file: true, webhook: false },
  terms: vendorTerms({
    research: {
      value: 'Consent of each person and an ethics review',
      basis: 'read',
      source: 'App Store Review Guidelines 5.1.3',
    },
  }),
  coverage: {
    ...APPLE_COVERAGE,
    series: pushed.series,
    workoutFields: [...new Set([...APPLE_COVERAGE.workoutFields, ...pushed.workoutFields])].sort(),
  },
  push: APPLE_PUSH,
  file: APPLE_FILE,
};
