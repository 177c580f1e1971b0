import type { Resolution } from '@healthd/model';
import type { DateOrInstant, Envelope } from '@healthd/schemas';
import type { Page } from './page.js';
import { instantText } from './presentation.js';

/** What an envelope says besides its rows. */
export interface PageFacts {
  start: DateOrInstant;
  end: DateOrInstant;
  totalCount: number | null;
  resolution?: Resolution;
  /** Local day before which samples were archived, where the range reaches into such days. */
  archivedBefore?: string | undefined;
  /** Providers whose rows are left out. */
  withheld?: readonly string[] | undefined;
}

/** Puts a page into the envelope that every list of health data has. */
export function pageEnvelope<Row, Item>(page: Page<Row>, toItem: (row: Row) => Item, facts: PageFacts): Envelope<Item> {
  return { data: page.rows.map(toItem), ...aroundRows(page, page.rows.length, facts) };
}

/** The members of an envelope that follow its rows. */
export function aroundRows(
  page: Omit<Page<unknown>, 'rows'>,
  rowCount: number,
  facts: PageFacts,
): Omit<Envelope<unknown>, 'data'> {
  return {
    pagination: {
      next_cursor: page.nextCursor,
      previous_cursor: page.previousCursor,
      has_more: page.hasMore,
      total_count: facts.totalCount,
    },
    metadata: {
      resolution: facts.resolution ?? null,
      sample_count: rowCount,
      start_time: instantText(facts.start.ms),
      end_time: instantText(facts.end.ms),
      ...(facts.archivedBefore !== undefined && { archived_before: facts.archivedBefore }),
      ...(facts.withheld !== undefined && { withheld: [...facts.withheld] }),
    },
  };
}
