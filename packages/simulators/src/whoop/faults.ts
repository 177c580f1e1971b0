import { type Answer, html, json } from '../answer.js';
import type { Call, Role } from './call.js';

/** What goes wrong. */
export type WhoopFaultKind =
  /** An error of the vendor with this status; 429 with `X-RateLimit-Reset` when `resetSeconds` is given. */
  | { kind: 'error'; status: number; resetSeconds?: number }
  /** Body of the token endpoint's error. */
  | { kind: 'oauth_error'; error: string; status?: number }
  /** 502 with an HTML page. */
  | { kind: 'bad_gateway' }
  /** A good answer cut in the middle, with a length that pretends it is whole. */
  | { kind: 'truncated' }
  /** The connection is cut without an answer. */
  | { kind: 'dropped' }
  /** The page asked for with a token that leads to the same page again. */
  | { kind: 'repeated_token' };

export type WhoopFault = WhoopFaultKind & {
  /** Default `api`. */
  role?: Role;
  /** A part of path and query. */
  path?: string;
  account?: string;
  /** How many requests it hits; null: all. Default 1. */
  times?: number | null;
  /** How many matching requests pass before it hits. Default 0. */
  after?: number;
};

/** What is to go wrong, in the order in which it was planned. */
export class Faults {
  private planned: { fault: WhoopFault; met: number; fired: number }[] = [];

  add(fault: WhoopFault): void {
    this.planned.push({ fault, met: 0, fired: 0 });
  }

  /** The fault that hits a request; it counts as fired. */
  strike(call: Call): WhoopFault | undefined {
    for (const plan of this.planned) {
      const { role = 'api', path = '', account, times = 1, after = 0 } = plan.fault;
      if (call.role !== role || !`${call.path}?${call.query}`.includes(path)) continue;
      if (account !== undefined && call.account !== account) continue;
      if (times !== null && plan.fired >= times) continue;
      plan.met++;
      if (plan.met <= after) continue;
      plan.fired++;
      return plan.fault;
    }
    return undefined;
  }

  clear(): void {
    this.planned = [];
  }
}

/** The answer of a fault that comes before the request is handled; undefined: it is handled. */
export function faultAnswer(fault: WhoopFault): Answer | undefined {
  if (fault.kind === 'bad_gateway') return html(502, 'Bad gateway', '<p>502</p>');
  if (fault.kind === 'oauth_error') return json(fault.status ?? 400, { error: fault.error });
  if (fault.kind !== 'error') return undefined;
  const { status, resetSeconds } = fault;
  const headers: Record<string, string> =
    resetSeconds === undefined ? {} : { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(resetSeconds) };
  return json(status, { message: 'An injected failure.' }, headers);
}

/** A page whose token leads to itself. */
export function withRepeatedToken(call: Call, answer: Answer): Answer {
  const body: unknown = JSON.parse(answer.body);
  if (typeof body !== 'object' || body === null || !('records' in body)) return answer;
  const own = call.query.get('nextToken') ?? Buffer.from('0').toString('base64url');
  return json(answer.status, { ...body, next_token: own }, answer.headers);
}
