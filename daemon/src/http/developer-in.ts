import { Failure } from '../platform/failures.js';
import type { Caller } from './binding.js';

/** Returns the caller of a developers-only route. */
export function developerIn(caller: Caller): Caller & { kind: 'developer' } {
  if (caller.kind !== 'developer') throw new Failure('unauthenticated', 'Could not validate credentials');
  return caller;
}
