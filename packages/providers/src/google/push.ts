import {
  ANDROID_RECORD_TYPES,
  androidRecord,
  androidSource,
  androidWorkoutType,
  type PushAdapter,
} from '../device-push/index.js';

/** Pushes from phones with Health Connect. An application is the source of every item, never the store itself. */
export const GOOGLE_PUSH: PushAdapter = {
  provider: 'google',
  recordTypes: ANDROID_RECORD_TYPES,
  record: androidRecord,
  workoutType: androidWorkoutType,
  source: (source) => androidSource('google', source),
  workoutId: ({ id }) => id,
};
