import { freePort as portOutsideOfOutgoing } from '../../packages/embedded-postgres/src/free-port.js';

/**
 * A port of this machine that no one listens on, and that no outgoing connection is given: for a service whose address must be
 * known before it starts.
 */
export function freePort(): Promise<number> {
  return portOutsideOfOutgoing();
}
