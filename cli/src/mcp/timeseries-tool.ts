import { getTimeseries, getUser } from '@healthd/contract';
import { SERIES_CODES } from '@healthd/model';
import type { TimeSeriesSample } from '@healthd/schemas';
import { z } from 'zod';
import { attributionNote, sourceName, truncation, withheldNote } from './period.js';
import { defineTool } from './tool.js';

/** Maximum samples of one result over all types. */
const MAX_SAMPLES = 1_000;

export const TIMESERIES_TOOL = defineTool({
  name: 'get_timeseries',
  title: 'Samples of series',
  description:
    'Samples of one or more series, oldest first, grouped by type, each with its unit. Each day and type has one source: the source that summaries select, if it has samples. all_sources returns every copy. A coarser resolution returns one value per bucket.',
  input: {
    user_id: z.uuid().describe('Id of the user, from get_users'),
    start_time: z.string().describe('Start, ISO 8601 date or date-time; UTC if it has no offset'),
    end_time: z.string().describe('End, ISO 8601; a bare date includes that day'),
    types: z.array(z.enum(SERIES_CODES)).min(1).describe('Series, e.g. heart_rate, from get_coverage'),
    resolution: z.enum(['raw', '1min', '5min', '15min', '1hour']).default('raw'),
    all_sources: z.boolean().default(false).describe('True to return the samples of every source'),
  },
  async run({ client, signal }, { user_id, start_time, end_time, types, resolution, all_sources }) {
    const user = await client.call(getUser, { params: { user_id }, signal });
    const { data, pagination, metadata } = await client.call(getTimeseries, {
      params: { user_id },
      query: { start_time, end_time, types, resolution, filter_by_priority: !all_sources, limit: MAX_SAMPLES },
      signal,
    });
    return {
      user: { id: user.id, first_name: user.first_name, last_name: user.last_name },
      period: { start: start_time, end: end_time },
      resolution,
      total_samples: data.length,
      series: Object.fromEntries(types.map((type) => [type, series(data.filter((sample) => sample.type === type))])),
      ...(metadata.archived_before && { archived_before: metadata.archived_before }),
      ...withheldNote(metadata.withheld),
      ...attributionNote(metadata.attribution),
      ...truncation(
        pagination.has_more,
        `Call again with the start_time ${data.at(-1)?.timestamp}, a shorter range or a coarser resolution.`,
      ),
    };
  },
});

function series(samples: readonly TimeSeriesSample[]) {
  return {
    unit: samples[0]?.unit ?? null,
    count: samples.length,
    samples: samples.map(({ timestamp, value, source }) => ({ timestamp, value, source: sourceName(source) })),
  };
}
