import type { Answer } from '../response.js';
import type { Call } from '../vendor/index.js';
import { failureResponse, quotaRejection, tokenRejection } from './api-failure.js';
import { apiTarget } from './api-paths.js';
import type { Fault } from './fault-types.js';
import type { Json, JsonObject } from './point-types.js';

/** True if the fault applies to the request. */
export function isTarget({ kind, match }: Fault, call: Call): boolean {
  const { role = 'api', path, account, method, dataType, operation } = match ?? {};
  if (call.role !== role || (path !== undefined && !`${call.path}?${call.query}`.includes(path))) return false;
  if ((account ?? call.account) !== call.account || (method ?? call.method) !== call.method) return false;
  const target = role === 'api' ? apiTarget(call.method, call.path) : undefined;
  const hasPages = target?.operation === 'list' || target?.operation === 'reconcile';
  if (!hasPages && (kind === 'empty_page' || kind === 'repeated_token')) return false;
  if (dataType !== undefined && target?.dataType !== dataType) return false;
  return operation === undefined || target?.operation === operation;
}

/** Returns a fault's response that replaces the handler; undefined if the handler runs. */
export function faultResponse(fault: Fault, nowMs: number): Answer | undefined {
  switch (fault.kind) {
    case 'rate_limited': {
      const seconds = fault.retryAfterSeconds;
      if (seconds === undefined) return quotaRejection();
      const date = new Date(nowMs + seconds * 1000).toUTCString();
      return quotaRejection({ 'retry-after': fault.retryAfterForm === 'date' ? date : String(seconds) });
    }
    case 'error':
      return failureResponse(fault.status, { message: 'An injected failure.', reason: fault.reason });
    case 'unauthorized':
      return tokenRejection();
    default:
      return undefined;
  }
}

/** Applies a fault to the handler's response. */
export function damaged(fault: Fault, _call: Call, response: Answer): Answer {
  const change = CHANGES[fault.kind];
  if (!change || response.status !== 200) return response;
  return { ...response, body: JSON.stringify(change(JSON.parse(response.body) as Json)) };
}

const CHANGES: Partial<Record<Fault['kind'], (body: Json) => Json>> = {
  missing_offsets: (body) => without(body, ['utcOffset', 'startUtcOffset', 'endUtcOffset']),
  missing_civil_times: (body) => without(body, ['civilTime', 'civilStartTime', 'civilEndTime']),
  duplicate_stages_summary: (body) =>
    rebuilt(body, (name, value) => [
      name,
      name === 'stagesSummary' && Array.isArray(value) ? [...value, ...value] : value,
    ]),
  misspelt_distance: (body) =>
    rebuilt(body, (name, value) => [name === 'distanceMillimeters' ? 'distanceMillimiters' : name, value]),
  unknown_members: (body) => {
    const strange = rebuilt(body, (name, value) => [name, name === 'platform' ? 'PLATFORM_OF_TOMORROW' : value]);
    return withStranger(strange);
  },
};

/** Returns the body with changed members in every object. `undefined` drops a member. */
function rebuilt(value: Json, change: (name: string, value: Json) => [string, Json] | undefined): Json {
  if (Array.isArray(value)) return value.map((item) => rebuilt(item, change));
  if (typeof value !== 'object' || value === null) return value;
  const out: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    const changed = change(name, member ?? null);
    if (changed) out[changed[0]] = rebuilt(changed[1], change);
  }
  return out;
}

function without(body: Json, names: readonly string[]): Json {
  return rebuilt(body, (name, value) => (names.includes(name) ? undefined : [name, value]));
}

function withStranger(value: Json): Json {
  if (Array.isArray(value)) return value.map(withStranger);
  if (typeof value !== 'object' || value === null) return value;
  const out: JsonObject = { memberOfTomorrow: { value: 1 } };
  for (const [name, member] of Object.entries(value)) out[name] = withStranger(member ?? null);
  return out;
}
