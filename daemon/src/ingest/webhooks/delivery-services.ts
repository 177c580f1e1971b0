import type { Connection } from '../../connections/index.js';
import type { Spool } from '../../platform/spool/index.js';
import type { ExportArrivals } from '../exports/index.js';
import type { PullServices } from '../pull/index.js';
import type { ReceivingPlaces } from './receiving-places.js';
import type { SplitThread } from './split-thread.js';

/** Services for receiving and reading webhooks that carry data. */
export interface DeliveryServices extends PullServices {
  spool: Spool;
  /** Receives the arriving items, which may be requested history. */
  exports: ExportArrivals;
  /** Requests the history of a connection whose permissions have changed, unless the history was already delivered. */
  requestHistory(connection: Connection): Promise<void>;
  /** Slots for receiving deliveries. */
  places: ReceivingPlaces;
  /** Splits deliveries off the main thread. */
  splitting: SplitThread;
  /** Maximum size in bytes of a provider's waiting deliveries. Above this size, the vendor must resend later. */
  maxWaitingBytes: number;
  /** Days for which the file of an unreadable or incompletely stored delivery is retained. */
  keepFailedDays: number;
}
