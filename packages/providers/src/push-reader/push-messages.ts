import type { ProviderId, RejectionCode } from '@healthd/model';
import type { PushReading } from '../device-push/index.js';

/** How the bytes of a pushed body are encoded. */
export type BodyEncoding = 'identity' | 'gzip';

/** Request to the reading thread. */
export interface PushRequest {
  id: number;
  body: Uint8Array;
  encoding: BodyEncoding;
  /** Maximum size after decompression, in bytes. */
  maxBytes: number;
  provider: ProviderId;
  /** Time at which the body was received. */
  receivedAtMs: number;
}

/** A body that is not JSON or is damaged. */
export interface BodyFault {
  fault: { field: ''; code: Extract<RejectionCode, 'json_invalid' | 'damaged'> };
}

export interface PushResponse {
  id: number;
  /** Undefined if reading failed for a reason other than the body. */
  reading?: PushReading | BodyFault;
  /** Further records in serialized chunks, so that the receiver processes one chunk at a time. */
  portions?: Uint8Array[];
  error?: string;
}
