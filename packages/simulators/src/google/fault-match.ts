import type { Call } from './exchange.js';
import type { Fault } from './fault-types.js';

/** Whether a request is one of those that a fault is for. */
export function isTarget({ kind, match }: Fault, call: Call): boolean {
  const { role = 'api', path, ...equal } = match ?? {};
  if (call.role !== role || !isPossible(kind, call)) return false;
  if (path !== undefined && !`${call.path}?${call.query}`.includes(path)) return false;
  const members = Object.entries(equal) as [keyof typeof equal, string | undefined][];
  return members.every(([name, value]) => value === undefined || call[name] === value);
}

/** Pages exist in list and reconcile only. */
function isPossible(kind: Fault['kind'], { operation }: Call): boolean {
  if (kind !== 'empty_page' && kind !== 'repeated_token') return true;
  return operation === 'list' || operation === 'reconcile';
}
