import { connectSimulator } from '../remote-control.js';
import type { GoogleControl } from './control.js';

/** URLs of the simulated service for the client's settings. All have the same loopback origin. */
export type GoogleUrls = {
  origin: string;
  authorize: string;
  token: string;
  revoke: string;
  userInfo: string;
  /** Base URL of the Health API. Paths start with /v4. */
  api: string;
  /** Public keys of notification signatures. */
  keyset: string;
  /** Public keys of identity tokens. */
  certificates: string;
  /** Host and port of the metadata server, in the format of GCE_METADATA_HOST. */
  metadataHost: string;
  control: string;
};

export interface GoogleSimulator {
  urls: GoogleUrls;
  client: { id: string; secret: string };
  projectNumber: string;
  projectId: string;
  control: GoogleControl;
  /** Stops deliveries and closes all connections. */
  close(): Promise<void>;
}

/** Connects to a simulator in another process. `close` does not stop that simulator. */
export const connectGoogleSimulator = (origin: string) => connectSimulator<GoogleSimulator>(origin);
