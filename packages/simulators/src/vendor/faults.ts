import { type Answer, html, json } from '../answer.js';
import type { FaultTarget } from './fault-plan.js';

/** What can go wrong at any vendor. */
export type CommonFaultKind =
  /** Body of the token endpoint's error. Default status 400. */
  | { kind: 'oauth_error'; error: string; status?: number }
  /** 502 with an HTML page. */
  | { kind: 'bad_gateway' }
  /** A good answer cut in the middle, with a length that pretends it is whole. */
  | { kind: 'truncated' }
  /** The connection is cut without an answer, after the request was handled. */
  | { kind: 'dropped' };

/** What goes wrong. */
type VendorFaultKind =
  | CommonFaultKind
  /** An error of the vendor with this status. */
  | { kind: 'error'; status: number; headers?: Record<string, string>; body?: unknown }
  /** The answer, as it is when the request comes, waits for `releaseAnswers`. */
  | { kind: 'held' }
  /** A page that leads to itself again. */
  | { kind: 'repeated_page' };

export type VendorFault = VendorFaultKind & FaultTarget;

/** The answer of a fault that comes before the request is handled; undefined: it is handled. */
export function vendorFaultAnswer(fault: VendorFault): Answer | undefined {
  if (fault.kind !== 'error') return undefined;
  return json(fault.status, fault.body ?? { message: 'An injected failure.' }, fault.headers);
}

/** The answer of those faults that are the same at every vendor. */
export function commonFaultAnswer(fault: CommonFaultKind | { kind: string }): Answer | undefined {
  if (fault.kind === 'bad_gateway') return html(502, 'Bad gateway', '<p>502</p>');
  if (fault.kind !== 'oauth_error' || !('error' in fault)) return undefined;
  return json(fault.status ?? 400, { error: fault.error });
}
