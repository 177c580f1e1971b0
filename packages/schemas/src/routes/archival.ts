import { z } from 'zod';
import { daySchema, uuidSchema } from '../envelope.js';
import { intParam } from '../parameters.js';

const archiveAfter = z.int().min(1).max(3650).nullable();
const deleteAfter = z.int().min(1).max(7300).nullable();

const bytes = z.int().meta({ description: 'Bytes' });
const pretty = z.string().meta({ description: 'The same for people, e.g. `40.00 KB`' });

export const archivalSchema = z
  .object({
    settings: z.object({
      archive_after_days: archiveAfter.meta({
        description: 'Samples older than so many days become part of daily figures; null: never',
      }),
      delete_after_days: deleteAfter.meta({
        description: 'Samples and daily figures older than so many days are deleted; null: never',
      }),
    }),
    warnings: z.array(z.string()).meta({ description: 'What the settings bring about that may not be meant' }),
    storage: z.object({
      live_data_bytes: bytes,
      live_index_bytes: bytes,
      archive_data_bytes: bytes,
      archive_index_bytes: bytes,
      other_tables_bytes: bytes,
      total_bytes: bytes,
      live_row_count: z.int().meta({ description: 'Samples' }),
      archive_row_count: z.int().meta({ description: 'Archived days, each of one series and source' }),
      live_data_span_days: z.int().meta({ description: 'Days from the first to the last with samples' }),
      avg_bytes_per_live_row: z.number(),
      avg_bytes_per_archive_row: z.number(),
      live_total_pretty: pretty,
      live_data_pretty: pretty,
      live_index_pretty: pretty,
      archive_total_pretty: pretty,
      archive_data_pretty: pretty,
      archive_index_pretty: pretty,
      other_tables_pretty: pretty,
      total_pretty: pretty,
      growth_class: z.enum(['bounded', 'linear_efficient', 'linear']).meta({
        description: 'How storage grows with time: `bounded` with deletion, `linear_efficient` with archival alone',
      }),
    }),
  })
  .meta({ id: 'Archival' });
export type Archival = z.infer<typeof archivalSchema>;

const concerned = z.object({
  before: daySchema.nullable().meta({ description: 'Local days before this one are concerned; null: none ever' }),
  users: z.int().meta({ description: 'Users concerned' }),
  days: z.int().meta({ description: 'Days concerned, those of each user counted' }),
  samples: z.int().meta({ description: 'Samples concerned' }),
});

export const archivalPreviewSchema = z
  .object({
    archive: concerned.meta({
      description: 'What would leave time series and remain in daily figures; without what would be deleted',
    }),
    delete: concerned.meta({ description: 'What would be gone for good, archived samples included' }),
  })
  .meta({ id: 'ArchivalPreview' });
export type ArchivalPreview = z.infer<typeof archivalPreviewSchema>;

export const archivalRouteSchemas = {
  getArchivalSettings: {
    response: archivalSchema,
  },
  setArchivalSettings: {
    body: z
      .object({ archive_after_days: archiveAfter.optional(), delete_after_days: deleteAfter.optional() })
      .refine((body) => body.archive_after_days !== undefined || body.delete_after_days !== undefined, {
        message: 'Give archive_after_days, delete_after_days or both; null switches one off.',
      }),
    response: archivalSchema,
  },
  previewArchival: {
    query: z.object({
      archive_after_days: intParam({ min: 1, max: 3650 }).describe('Days; never, where only the other one is given'),
      delete_after_days: intParam({ min: 1, max: 7300 }).describe('Days; never, where only the other one is given'),
    }),
    response: archivalPreviewSchema,
  },
  runArchival: {
    response: z.object({ task_id: uuidSchema, status: z.literal('dispatched') }),
  },
};
