import {
  ANDROID_RECORD_TYPES,
  androidRecord,
  androidSource,
  androidWorkoutType,
  type PushAdapter,
} from '../device-push/index.js';
import type { Provider } from '../provider.js';
import { vendorTerms } from '../terms.js';
import { GOOGLE_CLOUD } from './cloud.js';
import { GOOGLE_COVERAGE } from './coverage.js';

/** Pushes from phones with Health Connect. An application is the source of every item, never the store itself. */
const GOOGLE_PUSH: PushAdapter = {
  provider: 'google',
  recordTypes: ANDROID_RECORD_TYPES,
  record: androidRecord,
  workoutType: androidWorkoutType,
  source: (source) => androidSource('google', source),
  workoutId: ({ id }) => id,
};

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
