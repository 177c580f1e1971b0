import { RESOLUTIONS } from '@healthd/model';
import { z } from 'zod';
import {
  envelope,
  instantSchema,
  localOffsetSchema,
  sourceMetadataSchema,
  uuidSchema,
  zoneOffsetSchema,
} from '../../envelope.js';
import { boolParam, intParam, repeated, requiredParam, userParams } from '../../parameters.js';
import { defineRoute } from '../../route.js';
import { seriesTypeSchema } from '../../words.js';
import { cursorParam } from './cursor.js';
import { momentParam } from './moment.js';
import { sourceFilterParams } from './source-filter.js';

export const timeSeriesSampleSchema = z
  .object({
    id: uuidSchema.optional().meta({
      description:
        'Stable ID, the same as in snapshots and exports. Only with `include_ids=true` and the resolution `raw`',
    }),
    timestamp: instantSchema,
    zone_offset: zoneOffsetSchema,
    local_offset: localOffsetSchema,
    type: seriesTypeSchema,
    value: z.number(),
    unit: z.string(),
    source: sourceMetadataSchema,
    is_daily_total: z.boolean().nullable().meta({
      description: 'True for a provider’s daily total, false for a part of a day, null if neither applies',
    }),
    provenance: z.literal('computed').optional().meta({
      description:
        '`computed` if the service computed the value: RMSSD from the heartbeats of an Apple heart rate variability sample. Missing for the vendor’s own values, and unless `resolution` is `raw`',
    }),
  })
  .meta({ id: 'TimeSeriesSample' });
export type TimeSeriesSample = z.infer<typeof timeSeriesSampleSchema>;

const seriesParam = seriesTypeSchema;
type Bound = 'start_time' | 'end_time' | 'start_date' | 'end_date';

/** Returns a parameter for a bound of the range. Each bound has two names, and the query must contain at least one. */
function boundParam(what: string, other: Bound) {
  const form = 'ISO 8601 date or date-time (UTC without an offset), or Unix seconds';
  return momentParam.optional().meta({ description: `${what}: ${form}. Required unless you send \`${other}\`` });
}

const commonQuery = {
  start_time: boundParam('Start of the range', 'start_date'),
  end_time: boundParam('End of the range', 'end_date'),
  start_date: boundParam('Start of the range', 'start_time'),
  end_date: boundParam('End of the range', 'end_time'),
  resolution: z.enum(RESOLUTIONS).default('raw'),
  filter_by_priority: boolParam(false).meta({
    description: 'Returns one source per local day and type, and no `total_count`',
  }),
  include_ids: boolParam(false).meta({
    description: 'Adds the stable `id` of each sample. Ignored unless `resolution` is `raw`',
  }),
  ...sourceFilterParams,
  cursor: cursorParam,
  limit: intParam({ min: 1, max: 10_000, default: 50 }),
};

/** Reports `name` as missing unless one of the names was sent, even if other parameters are invalid too. */
function required(name: string, ...others: Bound[]) {
  const names = [name, ...others];
  const sent = (query: Record<string, unknown>) => names.some((one) => query[one] !== undefined);
  // An invalid bound has its own error and is not missing.
  const when = ({ issues }: z.core.ParsePayload) => !issues.some((issue) => names.includes(String(issue.path?.[0])));
  return [sent, { path: [name] as string[], error: 'Field required', params: { type: 'missing' }, when }] as const;
}

const description =
  'Returns samples of all sources, oldest first. With a resolution other than `raw`, returns one value per bucket, source and type; buckets are aligned to UTC, and empty buckets are omitted. Sums exclude daily totals, and count the part of an interval that is inside the range. In other series, a daily value counts if its bucket has no reading. The range is `[start, end)`; an end without a time includes that day. `start_time`/`end_time` and `start_date`/`end_date` are equivalent. With `filter_by_priority=true`, each local day and type has one source: the summary’s source if it has samples, otherwise the best source that has samples. A vendor’s own values rank before computed values.';

const common = {
  method: 'GET',
  tag: 'Time series',
  description,
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'timeseries', action: 'read' },
  status: 200,
  errors: [404],
} as const;

export const getTimeseries = defineRoute({
  ...common,
  id: 'getTimeseries',
  path: '/api/v1/users/{user_id}/timeseries',
  summary: 'Get samples of one or more series',
  params: userParams,
  query: z
    .object({ types: requiredParam(repeated(seriesParam)), ...commonQuery })
    .refine(...required('start_time', 'start_date'))
    .refine(...required('end_time', 'end_date'))
    .refine(...required('types')),
  response: envelope(timeSeriesSampleSchema),
});

export const getSingleTimeseries = defineRoute({
  ...common,
  id: 'getSingleTimeseries',
  path: '/api/v1/users/{user_id}/timeseries/{series_type}',
  summary: 'Get samples of one series',
  params: userParams.extend({ series_type: seriesParam }),
  query: z
    .object(commonQuery)
    .refine(...required('start_date', 'start_time'))
    .refine(...required('end_date', 'end_time')),
  response: envelope(timeSeriesSampleSchema),
});
