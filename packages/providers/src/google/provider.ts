import type { Provider } from '../provider.js';
import { GOOGLE_CLOUD } from './cloud.js';
import { GOOGLE_COVERAGE } from './coverage.js';
import { GOOGLE_PUSH } from './push.js';

/** Google's health data: of the store on the phone, as a client there reads it, and of the cloud. */
export const GOOGLE: Provider = {
  id: 'google',
  displayName: 'Google Health',
  capabilities: { oauth: true, pull: true, push: true, file: false, webhook: true },
  coverage: GOOGLE_COVERAGE,
  push: GOOGLE_PUSH,
  cloud: GOOGLE_CLOUD,
};
