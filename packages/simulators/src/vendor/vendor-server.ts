import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, json } from '../answer.js';
import type { SimulatorClock } from '../clock.js';
import { handleControl } from '../control-route.js';
import { bearer, type Call, type RequestRecord, type Role } from './call.js';
import type { FaultPlan, FaultTarget } from './fault-plan.js';
import { commonFaultAnswer } from './faults.js';
import type { HeldAnswers } from './held-answers.js';
import { listenOnLoopback, readCall, send, truncated } from './loopback.js';

/** Common members of a fault. */
type AnyFault = FaultTarget & { kind: string };

/** The vendor's state that the server needs. */
interface ServedState<F extends AnyFault> {
  readonly clock: SimulatorClock;
  readonly grants: { opened(accessToken: string): { account: string } | undefined };
  readonly faults: FaultPlan<F, Call>;
  /** Set by vendors whose faults may hold a response. */
  readonly heldAnswers?: HeldAnswers;
  readonly requests: RequestRecord[];
}

/** Options of a vendor's server. */
export interface VendorServer<F extends AnyFault, Facts extends object> {
  state: ServedState<F>;
  control: object;
  port: number | undefined;
  roleOf(path: string): Role;
  /** Handlers by role; 404 for other roles. */
  handlers: Readonly<Partial<Record<Role, (call: Call) => Answer | Promise<Answer>>>>;
  /** Counts an API request. @returns headers of its response, and a rejection if it exceeds a limit */
  limit?: { take(call: Call): { headers?: Record<string, string>; refusal?: Answer } };
  /** Response of a vendor-specific fault before the request is handled. */
  faultAnswer?(fault: F): Answer | undefined;
  /** Response as changed by a fault. */
  damaged?(fault: F, call: Call, answer: Answer): Answer;
  /** Recorded form of a request; default its path. */
  recordedPath?(call: Call): string;
  /** Facts for a client's configuration, also the response of `GET /control`. */
  factsOf(origin: string): Facts;
}

/** Serves a simulated vendor on a loopback port. */
export async function serveVendor<F extends AnyFault, Facts extends object>(
  vendor: VendorServer<F, Facts>,
): Promise<Facts & { close(): Promise<void> }> {
  const known: { facts?: Facts } = {};
  const { origin, close } = await listenOnLoopback(vendor.port, (request, response) =>
    answerRequest(vendor, known.facts, request, response),
  );
  const facts = vendor.factsOf(origin);
  known.facts = facts;
  return { ...facts, close };
}

async function answerRequest<F extends AnyFault>(
  vendor: VendorServer<F, object>,
  facts: object | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { state, control, limit, recordedPath } = vendor;
  const call = await readCall(request, vendor.roleOf);
  if (call.role === 'control') {
    return send(response, call.path === '/control' ? json(200, facts) : await handleControl(control, call));
  }
  call.account = state.grants.opened(bearer(call))?.account;
  const taken = call.role === 'api' ? limit?.take(call) : undefined;
  // A request over the limit uses up no fault.
  const fault = taken?.refusal ? undefined : state.faults.strike(call);
  const answer = taken?.refusal ?? (await answerOf(vendor, call, fault));
  const { method, role, account } = call;
  const path = recordedPath?.(call) ?? call.path;
  const dropped = fault?.kind === 'dropped';
  state.requests.push({ at: state.clock.now(), method, path, role, account, status: dropped ? 0 : answer.status });
  if (dropped) return void response.destroy();
  if (fault?.kind === 'held') await state.heldAnswers?.hold();
  const whole = { ...answer, headers: { ...taken?.headers, ...answer.headers } };
  send(response, fault?.kind === 'truncated' ? truncated(whole) : whole);
}

async function answerOf<F extends AnyFault>(
  { handlers, faultAnswer, damaged }: VendorServer<F, object>,
  call: Call,
  fault: F | undefined,
): Promise<Answer> {
  const early = fault && (faultAnswer?.(fault) ?? commonFaultAnswer(fault));
  if (early) return early;
  const answer = (await handlers[call.role]?.(call)) ?? json(404, {});
  return fault && damaged ? damaged(fault, call, answer) : answer;
}
