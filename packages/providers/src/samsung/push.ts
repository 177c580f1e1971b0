import {
  ANDROID_RECORD_TYPES,
  androidRecord,
  androidSource,
  androidWorkoutType,
  type PushAdapter,
} from '../device-push/index.js';

/** The store's own application. Its data comes from the store's devices or was entered by hand. */
const OWN_APPS: ReadonlySet<string> = new Set(['com.sec.android.app.shealth', 'com.samsung.android.app.shealth']);

/** Reads pushes from phones with Samsung Health. */
export const SAMSUNG_PUSH: PushAdapter = {
  provider: 'samsung',
  recordTypes: ANDROID_RECORD_TYPES,
  record: androidRecord,
  workoutType: androidWorkoutType,
  source: (source) => androidSource('samsung', source, OWN_APPS),
  workoutId: ({ id }) => id,
};
