import { freePort as portOutsideOfOutgoing } from '../../packages/embedded-postgres/src/free-port.js';

/**
 * Returns an unused port, for a service whose URL must be known before it starts. The port is outside of the range for
 * outgoing connections.
 */
export function freePort(): Promise<number> {
  return portOutsideOfOutgoing();
}
