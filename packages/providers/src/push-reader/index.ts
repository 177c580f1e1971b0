export type { BodyEncoding, BodyFault } from './push-messages.js';
export { PushReader, PushReaderError } from './push-reader.js';
