export { requireAtMost } from '../cloud/index.js';
export { requestItem } from './request-item.js';
export { cadenceFactor } from './cadence-factor.js';
export { isSame } from './constant-time.js';
export { numberIdOf } from './number-id.js';
export {
  instantMs,
  offsetOf,
  offsetOfTime,
  type PlacedRecord,
  type PlaceMembers,
  placedRecord,
} from './placed-record.js';
export { positionOf } from './position.js';
export { checkAge, WEBHOOK_TOLERANCE } from './replay-window.js';
export { coverageOf, type Gives, type RestReading, restProvider, type TimedRestType } from './rest-provider.js';
export { asScopeGap } from './scope-gap.js';
export { lettersOf, sportNames } from './sport-names.js';
export { verificationToken } from './verification-token.js';
export { readingOf, windowsOf } from './windows.js';
