import {
  ANDROID_RECORD_TYPES,
  androidRecord,
  androidSource,
  androidWorkoutType,
  type PushAdapter,
} from '../device-push/index.js';

/** The store's own application; what it writes was measured by its devices or entered by hand there. */
const OWN_APPS: ReadonlySet<string> = new Set(['com.sec.android.app.shealth', 'com.samsung.android.app.shealth']);

/** What a phone with Samsung Health pushes. */
export const SAMSUNG_PUSH: PushAdapter = {
  provider: 'samsung',
  recordTypes: ANDROID_RECORD_TYPES,
  record: androidRecord,
  workoutType: androidWorkoutType,
  source: (source) => androidSource('samsung', source, OWN_APPS),
  workoutId: ({ id }) => id,
};
