import {
  ANDROID_RECORD_TYPES,
  androidRecord,
  androidSource,
  androidWorkoutType,
  type PushAdapter,
} from '../device-push/index.js';

/** What a phone with Health Connect pushes. The store itself writes nothing: every item has an application behind it. */
export const GOOGLE_PUSH: PushAdapter = {
  provider: 'google',
  recordTypes: ANDROID_RECORD_TYPES,
  record: androidRecord,
  workoutType: androidWorkoutType,
  source: (source) => androidSource('google', source),
  workoutId: ({ id }) => id,
};
