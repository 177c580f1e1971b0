import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, ResponseError, json } from '../response.js';
import type { SimulatorClock } from '../clock.js';
import { bearer, type Call, type RequestRecord, type Role } from './call.js';
import type { FaultLimits, FaultPlan } from './fault-plan.js';
import { commonFaultResponse } from './faults.js';
import type { HeldResponses } from './held-responses.js';
import { listenOnLoopback, readCall, send, sendSlowly, truncated } from './loopback.js';

/** Members of every vendor's faults. */
type AnyFault = FaultLimits & { kind: string };

/** Maximum number of recorded requests. Older records are dropped. */
const MAX_RECORDS = 100_000;
const SECRET_PARAMETERS = new Set(['code', 'token', 'access_token', 'code_challenge', 'state']);

/** The vendor's state that the server needs. */
interface ServedState<F extends AnyFault> {
  readonly clock: SimulatorClock;
  readonly grants: { opened(accessToken: string): { account?: string | undefined } | undefined };
  readonly faults: FaultPlan<F, Call>;
  /** Set by vendors whose faults may hold a response. */
  readonly heldAnswers?: HeldResponses;
  requests: RequestRecord[];
}

/** Options of a vendor's server. */
export interface VendorServer<F extends AnyFault, Facts extends object> {
  state: ServedState<F>;
  control: object;
  port: number | undefined;
  roleOf(path: string): Role;
  /** Finds the account of a token, valid or not. Default: finds only accounts of valid tokens. */
  accountOf?(accessToken: string): string | undefined;
  /** Handlers by role. A role without a handler responds with 404. A handler may throw {@link ResponseError}. */
  handlers: Readonly<Partial<Record<Role, (call: Call) => Answer | Promise<Answer>>>>;
  /** Counts an API request. @returns headers of its response, and a rejection if it exceeds a limit */
  limit?: { take(call: Call): { headers?: Record<string, string>; refusal?: Answer } };
  /** Response of a vendor-specific fault before the request is handled. */
  faultResponse?(fault: F): Answer | undefined;
  /** Response as changed by a fault. */
  damaged?(fault: F, call: Call, response: Answer): Answer;
  /** Returns the path under which a request is recorded. Default: the request's path. */
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
    handleRequest(vendor, known.facts, request, response),
  );
  const facts = vendor.factsOf(origin);
  known.facts = facts;
  return { ...facts, close };
}

async function handleRequest<F extends AnyFault>(
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
  const accessToken = bearer(call);
  call.account = vendor.accountOf ? vendor.accountOf(accessToken) : state.grants.opened(accessToken)?.account;
  const taken = call.role === 'api' ? limit?.take(call) : undefined;
  // A request over the limit does not trigger a fault.
  const fault = taken?.refusal ? undefined : state.faults.strike(call);
  call.fault = fault;
  const result = taken?.refusal ?? (await responseFor(vendor, call, fault));
  const dropped = fault?.kind === 'dropped';
  record(state, { ...recorded(call), path: recordedPath?.(call) ?? call.path, status: dropped ? 0 : result.status });
  if (dropped) return void response.destroy();
  if (fault?.kind === 'held') await state.heldAnswers?.hold();
  const whole = { ...result, headers: { ...taken?.headers, ...result.headers } };
  if (isSlow(fault)) return sendSlowly(response, whole, fault.delayMs);
  send(response, fault?.kind === 'truncated' ? truncated(whole) : whole);
}

function isSlow(fault: AnyFault | undefined): fault is AnyFault & { delayMs: number } {
  return fault?.kind === 'slow' && 'delayMs' in fault;
}

function recorded({ method, role, account, query, fault }: Call): Omit<RequestRecord, 'at' | 'path' | 'status'> {
  const shown = [...query].filter(([name]) => !SECRET_PARAMETERS.has(name));
  return { method, role, account, query: Object.fromEntries(shown), fault: fault?.kind };
}

function record(state: Pick<ServedState<never>, 'clock' | 'requests'>, request: Omit<RequestRecord, 'at'>): void {
  state.requests.push({ at: state.clock.now(), ...request });
  if (state.requests.length > MAX_RECORDS) state.requests.splice(0, MAX_RECORDS / 10);
}

async function responseFor<F extends AnyFault>(
  { handlers, faultResponse, damaged }: VendorServer<F, object>,
  call: Call,
  fault: F | undefined,
): Promise<Answer> {
  const early = fault && (faultResponse?.(fault) ?? commonFaultResponse(fault));
  if (early) return early;
  const response = await handled(handlers[call.role], call);
  return fault && damaged ? damaged(fault, call, response) : response;
}

async function handled(handler: ((call: Call) => Answer | Promise<Answer>) | undefined, call: Call): Promise<Answer> {
  try {
    return (await handler?.(call)) ?? json(404, {});
  } catch (error) {
    if (error instanceof ResponseError) return error.answer;
    console.error(error);
    return json(500, { error: 'The simulator failed.' });
  }
}

/**
 * Handles `POST /control/<method>` with an array of arguments. Responds with the method's result as JSON, or null if it
 * returns nothing.
 */
async function handleControl(control: object, call: { method: string; path: string; body: string }): Promise<Answer> {
  const name = call.path.replace('/control/', '');
  if (call.method !== 'POST' || !Object.hasOwn(control, name)) {
    return json(404, { error: `POST /control/<method>; methods: ${Object.keys(control).join(', ')}` });
  }
  try {
    const args: unknown = call.body === '' ? [] : JSON.parse(call.body);
    if (!Array.isArray(args)) return json(400, { error: 'The body must be the JSON array of the arguments.' });
    const method = (control as Record<string, (...args: unknown[]) => Promise<unknown>>)[name]!;
    return json(200, (await method(...args.map((arg) => arg ?? undefined))) ?? null);
  } catch (error) {
    return json(400, { error: error instanceof Error ? error.message : 'failed' });
  }
}
