import { type Answer, json } from '../answer.js';
import type { Call, CommonFaultKind, FaultTarget } from '../vendor/index.js';

/** What goes wrong. */
export type WhoopFaultKind =
  | CommonFaultKind
  /** An error of the vendor with this status; 429 with `X-RateLimit-Reset` when `resetSeconds` is given. */
  | { kind: 'error'; status: number; resetSeconds?: number; body?: object }
  /** The page asked for with a token that leads to the same page again. */
  | { kind: 'repeated_token' };

export type WhoopFault = WhoopFaultKind & FaultTarget;

/** The answer of a fault that comes before the request is handled; undefined: it is handled. */
export function faultAnswer(fault: WhoopFault): Answer | undefined {
  if (fault.kind !== 'error') return undefined;
  const { status, resetSeconds, body = { message: 'An injected failure.' } } = fault;
  const headers: Record<string, string> =
    resetSeconds === undefined ? {} : { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(resetSeconds) };
  return json(status, body, headers);
}

/** A page whose token leads to itself. */
export function withRepeatedToken(fault: WhoopFault, call: Call, answer: Answer): Answer {
  if (fault.kind !== 'repeated_token') return answer;
  const body: unknown = JSON.parse(answer.body);
  if (typeof body !== 'object' || body === null || !('records' in body)) return answer;
  const own = call.query.get('nextToken') ?? Buffer.from('0').toString('base64url');
  return json(answer.status, { ...body, next_token: own }, answer.headers);
}
