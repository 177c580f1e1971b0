import { MS_PER_DAY } from '@healthd/model';
import type { TimeRange } from '@healthd/providers';
import type pg from 'pg';

/** An item that a vendor delivered. */
export interface Arrival {
  /** Data type, as deliveries name it. */
  delivered: string;
  span: TimeRange;
}

/** Receives the items that arrive. */
export interface ExportArrivals {
  /** Runs in the transaction that stores the items. */
  recordArrivals(client: pg.ClientBase, connectionId: string, arrivals: readonly Arrival[], at: Date): Promise<void>;
}

/**
 * Maximum age of items that the vendor delivers without a request, measured at the time of a request. Such items do not
 * count as history.
 */
const LIVE_MS = MS_PER_DAY;

/** Counts delivered items toward the requested window that contains the item's time. */
export const exportArrivals: ExportArrivals = {
  async recordArrivals(client, connectionId, arrivals, at) {
    if (arrivals.length === 0) return;
    await client.query(
      `update vendor_export e
          set items = e.items + arrived.items, first_item_at = coalesce(e.first_item_at, $5), last_item_at = $5
         from (select o.run_id, o.data_type, o.from_at, count(*)::int as items
                 from unnest($2::text[], $3::float8[]) as a (delivered, start_ms)
                 join vendor_export o
                   on o.connection_id = $1 and o.delivered_as = a.delivered and o.state in ('pending', 'requested', 'cancelled')
                  and o.asked_at is not null and to_timestamp(a.start_ms / 1000) >= o.from_at
                  and to_timestamp(a.start_ms / 1000) < o.to_at - make_interval(secs => $4::float8 / 1000)
                group by 1, 2, 3) arrived
        where e.run_id = arrived.run_id and e.data_type = arrived.data_type and e.from_at = arrived.from_at`,
      [connectionId, arrivals.map(({ delivered }) => delivered), arrivals.map(({ span }) => span.startMs), LIVE_MS, at],
    );
  },
};
