import { type Resolution, type SeriesCode, seriesTypeIds } from '@healthd/model';
import type { Attribution, DateOrInstant } from '@healthd/schemas';
import type pg from 'pg';
import { timeseriesBounds } from '../bounds.js';
import { Cursors, type Position } from '../cursors.js';
import { filteredSources, type SourceFilter, type SourceMap, sourcesOf, withheldProviders } from '../sources.js';
import { archivedDays } from './archived-days.js';
import type { SampleSelection } from './sample-count.js';

export interface TimeseriesParams extends SourceFilter {
  /** Returns the attribution that vendors require for data of these providers. */
  attributionOf?(providers: Iterable<string>): Attribution | undefined;
  types: readonly SeriesCode[];
  start: DateOrInstant;
  end: DateOrInstant;
  /** Parameter name of the end, for error messages. */
  endName: string;
  resolution: Resolution;
  /** Only return the selected source of each local day and type. */
  filterByPriority?: boolean;
  /** True to count samples only on the first page. */
  countsFirstPageOnly?: boolean;
  cursor?: string;
  limit: number;
}

/** A validated request, before its samples are read. */
export interface PreparedRead {
  cursors: Cursors;
  position: Position | undefined;
  sources: SourceMap;
  selection: SampleSelection;
  /** Local day before which samples were archived, if the range includes such days. */
  archivedBefore: string | undefined;
  /** Providers whose samples are omitted. */
  withheld: readonly string[] | undefined;
}

/** @throws Failure `unprocessable` if the bounds are reversed, or the cursor belongs to another list */
export async function prepareRead(pool: pg.Pool, userKey: number, params: TimeseriesParams): Promise<PreparedRead> {
  const bounds = timeseriesBounds(params);
  const typeIds = seriesTypeIds(params.types).sort((a, b) => a - b);
  // Earlier cursors contain two filters.
  const { provider, source, deviceModel, dataSourceId } = params;
  const newer = deviceModel === undefined && dataSourceId === undefined ? [] : [deviceModel, dataSourceId];
  const chosen = params.filterByPriority ? ['filter_by_priority'] : [];
  const list = { userKey, filters: [typeIds, params.resolution, provider, source, ...newer, ...chosen] };
  const cursors =
    params.resolution === 'raw'
      ? // Version 1 ended with the kind instead of the slot.
        new Cursors(['instant', 'int2', 'int4', 'int4'], { route: 'timeseries', version: 2, ...list })
      : new Cursors(['instant', 'int2', 'int4'], { route: 'timeseries buckets', ...list });
  const position = cursors.decode(params.cursor);
  const [sources, archivedBefore] = await Promise.all([
    sourcesOf(pool, userKey),
    archivedDays(pool, userKey, typeIds, bounds),
  ]);
  const selection = { typeIds, sourceIds: filteredSources(sources, params), bounds };
  return {
    cursors,
    position,
    sources,
    selection,
    archivedBefore,
    withheld: withheldProviders(sources, params.withheld),
  };
}
