import type { ItemCounts } from '@healthd/model';
import { z } from 'zod';

const count = z.int().nonnegative();

/** Number of items of one report by outcome, see `ItemCounts` in the model. */
export const itemCountsSchema = z
  .object({
    read: count.meta({ description: 'Number of items; the sum of the other counts' }),
    inserted: count,
    updated: count,
    unchanged: count,
    superseded: count.meta({ description: 'Skipped because more detailed data is stored' }),
    duplicates: count.meta({ description: 'Skipped because the same report contains an equal item' }),
    archived: count.meta({ description: 'Skipped because their minutes are archived' }),
    suppressed: count.meta({
      description:
        'Skipped because they were deleted here before, or because an accepted vendor term or `STORE_ROUTES=false` forbids storing them',
    }),
    no_value: count.meta({ description: 'Skipped because the vendor reported no value' }),
    rejected: count,
    unsupported: count.meta({ description: 'Skipped because the data model does not support them' }),
  } satisfies Record<keyof ItemCounts, unknown>)
  .meta({ id: 'ItemCounts' });
