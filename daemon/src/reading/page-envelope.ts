import type { Envelope, Moment } from '@healthd/api';
import type { Resolution } from '@healthd/model';
import type { Page } from './cursors.js';
import { instantText } from './presentation.js';

/** Puts a page into the envelope that every list of health data has. */
export function pageEnvelope<Row, Item>(
  page: Page<Row>,
  toItem: (row: Row) => Item,
  facts: { start: Moment; end: Moment; totalCount: number | null; resolution?: Resolution },
): Envelope<Item> {
  return {
    data: page.rows.map(toItem),
    pagination: {
      next_cursor: page.nextCursor,
      previous_cursor: page.previousCursor,
      has_more: page.hasMore,
      total_count: facts.totalCount,
    },
    metadata: {
      resolution: facts.resolution ?? null,
      sample_count: page.rows.length,
      start_time: instantText(facts.start.ms),
      end_time: instantText(facts.end.ms),
    },
  };
}
