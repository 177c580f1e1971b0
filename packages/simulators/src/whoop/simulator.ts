import type { WhoopControl } from './control.js';

/** A running simulated WHOOP. */
export interface WhoopSimulator {
  /** Addresses to be given to the client as settings. All on one loopback origin. */
  urls: { origin: string; authorize: string; token: string; api: string };
  client: { id: string; secret: string };
  control: WhoopControl;
  close(): Promise<void>;
}
