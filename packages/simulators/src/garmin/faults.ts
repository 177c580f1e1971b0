import type { Answer } from '../answer.js';
import type { CommonFaultKind, FaultTarget } from '../vendor/index.js';
import { refused } from './refused.js';

/** What goes wrong. */
type GarminFaultKind =
  | CommonFaultKind
  /** An error of the vendor with this status, and its sentence. */
  | { kind: 'error'; status: number; message?: string };

export type GarminFault = GarminFaultKind & FaultTarget;

/** The answer of a fault that comes before the request is handled; undefined: it is handled. */
export function faultAnswer(fault: GarminFault): Answer | undefined {
  return fault.kind === 'error' ? refused(fault.status, fault.message ?? 'An injected failure.') : undefined;
}
