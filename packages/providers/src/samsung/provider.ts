import {
  ANDROID_RECORD_TYPES,
  ANDROID_SERIES,
  androidRecord,
  androidSource,
  androidWorkoutType,
  type PushAdapter,
  pushCoverage,
} from '../device-push/index.js';
import type { Provider } from '../provider.js';
import { vendorTerms } from '../terms.js';

/** The store's own application. Its data comes from the store's devices or was entered by hand. */
const OWN_APPS: ReadonlySet<string> = new Set(['com.sec.android.app.shealth', 'com.samsung.android.app.shealth']);

/** Reads pushes from phones with Samsung Health. */
const SAMSUNG_PUSH: PushAdapter = {
  provider: 'samsung',
  recordTypes: ANDROID_RECORD_TYPES,
  record: androidRecord,
  workoutType: androidWorkoutType,
  source: (source) => androidSource('samsung', source, OWN_APPS),
  workoutId: ({ id }) => id,
};

/** Samsung's store on the phone. Data arrives only from a client on the phone. */
export const SAMSUNG: Provider = {
  id: 'samsung',
  displayName: 'Samsung Health',
  capabilities: { oauth: false, pull: false, push: true, file: false, webhook: false },
  terms: vendorTerms({}),
  coverage: pushCoverage(ANDROID_SERIES, ['sleep']),
  push: SAMSUNG_PUSH,
};
