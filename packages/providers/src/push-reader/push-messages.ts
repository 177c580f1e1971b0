import type { ProviderId, RejectionCode } from '@healthd/model';
import type { PushReading } from '../device-push/index.js';

/** How the bytes of a pushed body are encoded. */
export type BodyEncoding = 'identity' | 'gzip';

/** What the reading thread is asked. */
export interface PushRequest {
  id: number;
  body: Uint8Array;
  encoding: BodyEncoding;
  /** Bytes after unpacking at most. */
  maxBytes: number;
  provider: ProviderId;
  /** When the body was received. */
  receivedAtMs: number;
}

/** A body that is no JSON after all, or was damaged. */
export interface BodyFault {
  fault: { field: ''; code: Extract<RejectionCode, 'json_invalid' | 'damaged'> };
}

export interface PushResponse {
  id: number;
  /** Undefined when reading failed for a reason that is not the body's. */
  reading?: PushReading | BodyFault;
  /** Further records of the reading in serialized portions, so that the receiver takes them one at a time. */
  portions?: Uint8Array[];
  error?: string;
}
