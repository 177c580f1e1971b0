import type { Answer } from '../answer.js';
import type { CommonFaultKind, FaultTarget } from '../vendor/index.js';
import { refused } from './refused.js';

/** Type of fault. */
type GarminFaultKind =
  | CommonFaultKind
  /** An error of the vendor with this status and message. */
  | { kind: 'error'; status: number; message?: string };

export type GarminFault = GarminFaultKind & FaultTarget;

/** Response of a fault before the request is handled; undefined if it must be handled. */
export function faultAnswer(fault: GarminFault): Answer | undefined {
  return fault.kind === 'error' ? refused(fault.status, fault.message ?? 'An injected failure.') : undefined;
}
