import { z } from 'zod';
import { daySchema, uuidSchema } from '../envelope.js';
import { intParam } from '../parameters.js';
import { defineRoute } from '../route.js';

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

const common = { tag: 'Operations', auth: 'developer' } as const;

export const getArchivalSettings = defineRoute({
  ...common,
  id: 'getArchivalSettings',
  method: 'GET',
  path: '/api/v1/settings/archival',
  summary: 'How long samples are kept, and how much space they take',
  description: 'Rows are counted from daily figures; where that takes long the counts are up to five minutes old.',
  audit: { exempt: 'settings of the service, no data of a person' },
  status: 200,
  response: archivalSchema,
});

export const setArchivalSettings = defineRoute({
  ...common,
  id: 'setArchivalSettings',
  method: 'PUT',
  path: '/api/v1/settings/archival',
  summary: 'Set how long samples are kept',
  description:
    'Replaces both settings: one that is left out is switched off, as null does. Summaries of archived days stay as they ' +
    'are; their samples no longer appear in time series. What is deleted cannot be brought back. Work begins immediately and ' +
    'is done daily at 03:00 UTC.',
  audit: { resource: 'archival_setting', action: 'update' },
  status: 200,
  body: z
    .object({ archive_after_days: archiveAfter.optional(), delete_after_days: deleteAfter.optional() })
    .refine((body) => body.archive_after_days !== undefined || body.delete_after_days !== undefined, {
      message: 'Give archive_after_days, delete_after_days or both; null switches one off.',
    }),
  response: archivalSchema,
});

export const previewArchival = defineRoute({
  ...common,
  id: 'previewArchival',
  method: 'GET',
  path: '/api/v1/settings/archival/preview',
  summary: 'What archiving and deleting would concern now, without doing it',
  description:
    'With the settings that are given as the update takes them, or with those that are set when none is given.',
  audit: { exempt: 'numbers over all users, no data of a person' },
  status: 200,
  query: z.object({
    archive_after_days: intParam({ min: 1, max: 3650 }).describe('Days; never, where only the other one is given'),
    delete_after_days: intParam({ min: 1, max: 7300 }).describe('Days; never, where only the other one is given'),
  }),
  response: archivalPreviewSchema,
});

export const runArchival = defineRoute({
  ...common,
  id: 'runArchival',
  method: 'POST',
  path: '/api/v1/settings/archival/run',
  summary: 'Archive and delete now what the settings say',
  audit: { resource: 'archival_setting', action: 'update' },
  status: 202,
  response: z.object({ task_id: uuidSchema, status: z.literal('dispatched') }),
});
