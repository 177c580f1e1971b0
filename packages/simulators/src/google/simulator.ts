import { connectSimulator } from '../remote-control.js';
import type { GoogleControl } from './control.js';

/** Addresses of the simulated service, to be given to the client as settings. All on one loopback origin. */
export type GoogleUrls = {
  origin: string;
  authorize: string;
  token: string;
  revoke: string;
  userInfo: string;
  /** Base of the Health API; paths begin with /v4. */
  api: string;
  /** Public keys of the notifications' signatures. */
  keyset: string;
  /** Keys of the identity tokens. */
  certificates: string;
  /** Host and port of the metadata server, as GCE_METADATA_HOST wants it. */
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

/** A simulator that another process runs. Its `close` leaves it running. */
export const connectGoogleSimulator = (origin: string) => connectSimulator<GoogleSimulator>(origin);
