import { ANDROID_SERIES, pushCoverage } from '../device-push/index.js';
import type { Provider } from '../provider.js';
import { vendorTerms } from '../terms.js';
import { SAMSUNG_PUSH } from './push.js';

/** Samsung's store on the phone. Data arrives only from a client on the phone. */
export const SAMSUNG: Provider = {
  id: 'samsung',
  displayName: 'Samsung Health',
  capabilities: { oauth: false, pull: false, push: true, file: false, webhook: false },
  terms: vendorTerms({}),
  coverage: pushCoverage(ANDROID_SERIES, ['sleep']),
  push: SAMSUNG_PUSH,
};
