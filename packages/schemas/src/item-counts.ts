import type { ItemCounts } from '@healthd/model';
import { z } from 'zod';

const count = z.int().nonnegative();

/** What became of the items of one report, see `ItemCounts` of the model. */
export const itemCountsSchema = z
  .object({
    read: count.meta({ description: 'All items; the other counts together' }),
    inserted: count,
    updated: count,
    unchanged: count,
    superseded: count.meta({ description: 'What they say is stored in more detail already' }),
    duplicates: count.meta({ description: 'Another item of the same report says the same' }),
    archived: count.meta({ description: 'Samples that archival removed stand for them' }),
    suppressed: count.meta({
      description: 'They were deleted here before, or an accepted vendor term forbids to store them',
    }),
    no_value: count.meta({ description: 'The vendor says that there is no value' }),
    rejected: count,
    unsupported: count.meta({ description: 'The data model does not support them' }),
  } satisfies Record<keyof ItemCounts, unknown>)
  .meta({ id: 'ItemCounts' });
