import type { GarminControl } from './control.js';

/** A running simulated Garmin. */
export interface GarminSimulator {
  /** URLs for the client's settings, all on one loopback origin. */
  urls: { origin: string; authorize: string; token: string; api: string; user: string };
  client: { id: string; secret: string };
  /** Values of the client's own settings. */
  settings: { WEBHOOK_TOKEN: string };
  control: GarminControl;
  close(): Promise<void>;
}
