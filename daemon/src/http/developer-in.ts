import { Failure } from '../platform/failures.js';
import type { Caller } from './binding.js';

/** The caller of a route that the gate opens to developers only. */
export function developerIn(caller: Caller): Caller & { kind: 'developer' } {
  if (caller.kind !== 'developer') throw new Failure('unauthenticated', 'Could not validate credentials');
  return caller;
}
