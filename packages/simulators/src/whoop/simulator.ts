import type { WhoopControl } from './control.js';

/** A running simulated WHOOP. */
export interface WhoopSimulator {
  /** URLs for the client's settings, all on one loopback origin. */
  urls: { origin: string; authorize: string; token: string; api: string };
  client: { id: string; secret: string };
  control: WhoopControl;
  close(): Promise<void>;
}
