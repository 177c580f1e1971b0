import { ANDROID_SERIES, pushCoverage } from '../device-push/index.js';
import type { Provider } from '../provider.js';
import { GOOGLE_PUSH } from './push.js';

/** The Android health store, as a client on the phone reads it. */
export const GOOGLE: Provider = {
  id: 'google',
  displayName: 'Google Health',
  capabilities: { oauth: false, pull: false, push: true, file: false, webhook: false },
  coverage: pushCoverage(ANDROID_SERIES, ['sleep']),
  push: GOOGLE_PUSH,
};
