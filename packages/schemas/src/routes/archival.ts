import { z } from 'zod';
import { daySchema, uuidSchema } from '../envelope.js';
import { intParam } from '../parameters.js';
import { defineRoute } from '../route.js';

const archiveAfter = z.int().min(1).max(3650).nullable();
const deleteAfter = z.int().min(1).max(7300).nullable();

const bytes = z.int().meta({ description: 'Bytes' });
const pretty = z.string().meta({ description: 'Formatted for display, for example `40.00 KB`' });

export const archivalSchema = z
  .object({
    settings: z.object({
      archive_after_days: archiveAfter.meta({
        description: 'Age in days at which samples are archived into daily figures; null means never',
      }),
      delete_after_days: deleteAfter.meta({
        description: 'Age in days at which samples and daily figures are deleted; null means never',
      }),
    }),
    warnings: z.array(z.string()).meta({ description: 'Effects of these settings that may be unintended' }),
    storage: z.object({
      live_data_bytes: bytes,
      live_index_bytes: bytes,
      archive_data_bytes: bytes,
      archive_index_bytes: bytes,
      other_tables_bytes: bytes,
      total_bytes: bytes,
      live_row_count: z.int().meta({ description: 'Samples' }),
      archive_row_count: z.int().meta({ description: 'Number of archived days, per series and source' }),
      live_data_span_days: z.int().meta({ description: 'Number of days from the first to the last sample' }),
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
        description: 'Storage growth: `bounded` with deletion, `linear_efficient` with archiving only',
      }),
    }),
  })
  .meta({ id: 'Archival' });
export type Archival = z.infer<typeof archivalSchema>;

const concerned = z.object({
  before: daySchema
    .nullable()
    .meta({ description: 'Day after the last affected local day; null if no day is affected' }),
  users: z.int().meta({ description: 'Number of affected users' }),
  days: z.int().meta({ description: 'Number of affected days, summed over users' }),
  samples: z.int().meta({ description: 'Number of affected samples' }),
});

export const archivalPreviewSchema = z
  .object({
    archive: concerned.meta({
      description: 'Samples that would be archived into daily figures; excludes samples that would be deleted',
    }),
    delete: concerned.meta({ description: 'Data that would be deleted, including archived samples' }),
  })
  .meta({ id: 'ArchivalPreview' });
export type ArchivalPreview = z.infer<typeof archivalPreviewSchema>;

const common = { tag: 'Operations', auth: 'developer' } as const;

export const getArchivalSettings = defineRoute({
  ...common,
  id: 'getArchivalSettings',
  method: 'GET',
  path: '/api/v1/settings/archival',
  summary: 'Get the retention settings and storage use',
  description: 'Counts may be up to five minutes old.',
  audit: { exempt: 'settings of the service, no user data' },
  status: 200,
  response: archivalSchema,
});

export const setArchivalSettings = defineRoute({
  ...common,
  id: 'setArchivalSettings',
  method: 'PUT',
  path: '/api/v1/settings/archival',
  summary: 'Update the retention settings',
  description:
    'Replaces both settings; an omitted setting is turned off. Samples of archived days leave the time series, and their summaries do not change. Deleted data cannot be restored. The change takes effect immediately; archiving then runs daily at 03:00 UTC.',
  audit: { resource: 'archival_setting', action: 'update' },
  status: 200,
  body: z
    .object({ archive_after_days: archiveAfter.optional(), delete_after_days: deleteAfter.optional() })
    .refine((body) => body.archive_after_days !== undefined || body.delete_after_days !== undefined, {
      message: 'archive_after_days or delete_after_days is required; null turns a setting off.',
    }),
  response: archivalSchema,
});

export const previewArchival = defineRoute({
  ...common,
  id: 'previewArchival',
  method: 'GET',
  path: '/api/v1/settings/archival/preview',
  summary: 'Preview what archiving and deletion would affect',
  description: 'Uses the passed settings, or the current settings if you pass none. Changes nothing.',
  audit: { exempt: 'numbers over all users, no user data' },
  status: 200,
  query: z.object({
    archive_after_days: intParam({ min: 1, max: 3650 }).describe(
      'Age in days at which samples are archived; if omitted, never. If you omit both parameters, the current settings apply',
    ),
    delete_after_days: intParam({ min: 1, max: 7300 }).describe(
      'Age in days at which data is deleted; if omitted, never. If you omit both parameters, the current settings apply',
    ),
  }),
  response: archivalPreviewSchema,
});

export const runArchival = defineRoute({
  ...common,
  id: 'runArchival',
  method: 'POST',
  path: '/api/v1/settings/archival/run',
  summary: 'Archive and delete old data now',
  audit: { resource: 'archival_setting', action: 'update' },
  status: 202,
  response: z.object({ task_id: uuidSchema, status: z.literal('dispatched') }),
});
