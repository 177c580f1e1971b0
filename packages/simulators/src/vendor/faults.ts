import { type Answer, html, json } from '../response.js';
import type { FaultTarget } from './fault-plan.js';

/** Faults of any vendor. */
export type CommonFaultKind =
  /** Body of the token endpoint's error. Default status 400; 401 for `invalid_client`. */
  | { kind: 'oauth_error'; error: string; status?: number }
  /** 502 with an HTML page. */
  | { kind: 'bad_gateway' }
  /** A valid response cut in the middle, with a matching length. */
  | { kind: 'truncated' }
  /** Half of the body immediately, the rest after this time. */
  | { kind: 'slow'; delayMs: number }
  /** The connection is cut without a response, after the request was handled. */
  | { kind: 'dropped' };

/** Type of fault. */
type VendorFaultKind =
  | CommonFaultKind
  /** An error of the vendor with this status, and a message or a whole body. */
  | { kind: 'error'; status: number; message?: string; headers?: Record<string, string>; body?: unknown }
  /** Creates the response when the request arrives, and holds it until `releaseAnswers`. */
  | { kind: 'held' }
  /** A page that links to itself. */
  | { kind: 'repeated_page' };

export type VendorFault = VendorFaultKind & FaultTarget;

/**
 * Returns a fault's response that replaces the handler's response; undefined if the handler must run.
 * @param errorBody returns the vendor's body for a message
 */
export function vendorFaultResponse(
  fault: VendorFault,
  errorBody: (status: number, message: string) => object = (_, message) => ({ message }),
): Answer | undefined {
  if (fault.kind !== 'error') return undefined;
  const { status, message = 'An injected failure.', body = errorBody(status, message), headers } = fault;
  return json(status, body, headers);
}

/** Returns the response of the faults that all vendors share. */
export function commonFaultResponse(fault: CommonFaultKind | { kind: string }): Answer | undefined {
  if (fault.kind === 'bad_gateway') return html(502, 'Bad gateway', '<p>502</p>');
  if (fault.kind !== 'oauth_error' || !('error' in fault)) return undefined;
  const { error, status = error === 'invalid_client' ? 401 : 400 } = fault;
  return json(status, { error });
}
