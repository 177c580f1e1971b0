import type { RunRetrier } from '@healthd/daemon/runs';

/** For runs that a test never makes. */
export const noRetrier: RunRetrier = async () => {
  throw new Error('no such run is made here');
};
