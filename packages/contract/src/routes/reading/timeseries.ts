import { defineRoute } from '../../route.js';

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
});

export const getSingleTimeseries = defineRoute({
  ...common,
  id: 'getSingleTimeseries',
  path: '/api/v1/users/{user_id}/timeseries/{series_type}',
  summary: 'Samples of one series',
});
