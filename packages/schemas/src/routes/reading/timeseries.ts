import { RESOLUTIONS } from '@healthd/model';
import { z } from 'zod';
import { envelope, instantSchema, localOffsetSchema, sourceMetadataSchema, zoneOffsetSchema } from '../../envelope.js';
import { boolParam, intParam, repeated, requiredParam, userParams } from '../../parameters.js';
import { defineRoute } from '../../route.js';
import { seriesTypeSchema } from '../../words.js';
import { cursorParam } from './cursor.js';
import { momentParam } from './moment.js';
import { sourceFilterParams } from './source-filter.js';

export const timeSeriesSampleSchema = z
  .object({
    timestamp: instantSchema,
    zone_offset: zoneOffsetSchema,
    local_offset: localOffsetSchema,
    type: seriesTypeSchema,
    value: z.number(),
    unit: z.string(),
    source: sourceMetadataSchema,
    is_daily_total: z.boolean().nullable().meta({
      description: 'True for a provider\u2019s total of a day, false for a part of a day, null where neither applies',
    }),
  })
  .meta({ id: 'TimeSeriesSample' });
export type TimeSeriesSample = z.infer<typeof timeSeriesSampleSchema>;

const seriesParam = seriesTypeSchema;
type Bound = 'start_time' | 'end_time' | 'start_date' | 'end_date';

/** One of two names of a bound: required unless the other one is sent. */
function boundParam(what: string, other: Bound) {
  const form = 'ISO 8601 date or date-time (UTC without an offset), or Unix seconds';
  return momentParam.optional().meta({ description: `${what}: ${form}. Required unless \`${other}\` is sent` });
}

const commonQuery = {
  start_time: boundParam('Beginning of the range', 'start_date'),
  end_time: boundParam('End of the range', 'end_date'),
  start_date: boundParam('Beginning of the range', 'start_time'),
  end_date: boundParam('End of the range', 'end_time'),
  resolution: z.enum(RESOLUTIONS).default('raw'),
  filter_by_priority: boolParam(false).meta({
    description: 'Shows one source for each local day and type, and no `total_count`',
  }),
  ...sourceFilterParams,
  cursor: cursorParam,
  limit: intParam({ min: 1, max: 10_000, default: 50 }),
};

/** Complains about `name` unless one of the names was sent; also when other parameters are wrong. */
function required(name: string, ...others: Bound[]) {
  const names = [name, ...others];
  const sent = (query: Record<string, unknown>) => names.some((one) => query[one] !== undefined);
  // A value that could not be read has its own complaint and is not missing.
  const when = ({ issues }: z.core.ParsePayload) => !issues.some((issue) => names.includes(String(issue.path?.[0])));
  return [sent, { path: [name] as string[], error: 'Field required', params: { type: 'missing' }, when }] as const;
}

const description =
  'Samples of all sources side by side, oldest first. With a resolution other than `raw`: one value per bucket, source and ' +
  'type, buckets aligned to UTC, empty buckets omitted. Sums leave out totals of days, and of an interval the part inside the ' +
  'range counts; in series of other rules, the value of a day counts where its bucket has no reading. The range is `[start, end)`; an end given as a bare date includes that day. ' +
  '`start_time`/`end_time` and `start_date`/`end_date` mean the same. With `filter_by_priority=true`, each local day and type ' +
  'has one source: the one that the summary shows if it has samples, else the best of those that have.';

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
  summary: 'Samples of one or more series',
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
  summary: 'Samples of one series',
  params: userParams.extend({ series_type: seriesParam }),
  query: z
    .object(commonQuery)
    .refine(...required('start_date', 'start_time'))
    .refine(...required('end_date', 'end_time')),
  response: envelope(timeSeriesSampleSchema),
});
