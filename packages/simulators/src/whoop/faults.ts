import { type Answer, json } from '../answer.js';
import type { Call, CommonFaultKind, FaultTarget } from '../vendor/index.js';

/** Type of fault. */
export type WhoopFaultKind =
  | CommonFaultKind
  /** An error of the vendor with this status; 429 with `X-RateLimit-Reset` if `resetSeconds` is set. */
  | { kind: 'error'; status: number; resetSeconds?: number; body?: object }
  /** The requested page with a token that links to the same page. */
  | { kind: 'repeated_token' };

export type WhoopFault = WhoopFaultKind & FaultTarget;

/** Response of a fault before the request is handled; undefined if it must be handled. */
export function faultAnswer(fault: WhoopFault): Answer | undefined {
  if (fault.kind !== 'error') return undefined;
  const { status, resetSeconds, body = { message: 'An injected failure.' } } = fault;
  const headers: Record<string, string> =
    resetSeconds === undefined ? {} : { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(resetSeconds) };
  return json(status, body, headers);
}

/** Returns a page whose token links to itself. */
export function withRepeatedToken(fault: WhoopFault, call: Call, answer: Answer): Answer {
  if (fault.kind !== 'repeated_token') return answer;
  const body: unknown = JSON.parse(answer.body);
  if (typeof body !== 'object' || body === null || !('records' in body)) return answer;
  const own = call.query.get('nextToken') ?? Buffer.from('0').toString('base64url');
  return json(answer.status, { ...body, next_token: own }, answer.headers);
}
