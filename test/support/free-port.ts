import { freePort as portOutsideOfOutgoing } from '../../packages/embedded-postgres/src/free-port.js';

/**
 * Returns an unused port outside of the range for outgoing connections, for a service whose URL must be known before it
 * starts.
 */
export function freePort(): Promise<number> {
  return portOutsideOfOutgoing();
}
