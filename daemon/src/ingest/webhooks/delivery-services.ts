import type { Connection } from '../../connections/index.js';
import type { Spool } from '../../platform/spool/index.js';
import type { ExportArrivals } from '../exports/index.js';
import type { PullServices } from '../pull/index.js';
import type { ReceivingPlaces } from './receiving-places.js';
import type { SplitThread } from './split-thread.js';

/** What receiving and reading webhooks that carry data needs. */
export interface DeliveryServices extends PullServices {
  spool: Spool;
  /** Is notified of what arrives, which may be the past that was requested. */
  exports: ExportArrivals;
  /** Requests the past of a connection whose permissions have changed, where it was not given before. */
  requestPast(connection: Connection): Promise<void>;
  /** Where deliveries are received. */
  places: ReceivingPlaces;
  /** Splits deliveries off the main thread. */
  splitting: SplitThread;
  /** Bytes of a provider that may wait in the spool; above that the vendor is asked to send again later. */
  maxWaitingBytes: number;
  /** How long a delivery that could not be read is retained, in days. */
  keepFailedDays: number;
}
