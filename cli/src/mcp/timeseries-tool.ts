import { getTimeseries, getUser } from '@healthd/contract';
import { SERIES_CODES } from '@healthd/model';
import type { TimeSeriesSample } from '@healthd/schemas';
import { z } from 'zod';
import { attributionNote, sourceName, truncation, withheldNote } from './period.js';
import { defineTool } from './tool.js';

/** Most samples of one result, of all types together. */
const MAX_SAMPLES = 1_000;

export const TIMESERIES_TOOL = defineTool({
  name: 'get_timeseries',
  title: 'Samples of series',
  description:
    'Samples of one or more series, oldest first, grouped by type, each with its unit. Each day and type has one source, the one that summaries show if it has samples; all_sources shows every copy. A coarser resolution gives one value per bucket.',
  input: {
    user_id: z.uuid().describe('Id of the user, as get_users lists it'),
    start_time: z.string().describe('Beginning, ISO 8601 date or date-time; UTC without an offset'),
    end_time: z.string().describe('End, ISO 8601; a bare date includes that day'),
    types: z.array(z.enum(SERIES_CODES)).min(1).describe('Series, e.g. heart_rate; get_coverage lists them'),
    resolution: z.enum(['raw', '1min', '5min', '15min', '1hour']).default('raw'),
    all_sources: z.boolean().default(false).describe('Shows the samples of every source side by side'),
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
        `Ask again with the start_time ${data.at(-1)?.timestamp}, a shorter range or a coarser resolution.`,
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
