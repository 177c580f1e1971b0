import { type ProviderId, type Resolution, type SeriesCode, seriesTypeIds } from '@healthd/model';
import type { DateOrInstant } from '@healthd/schemas';
import type pg from 'pg';
import { timeseriesBounds } from '../bounds.js';
import { Cursors, type Position } from '../cursors.js';
import { type SourceMap, sourcesOf } from '../sources.js';
import { archivedDays } from './archived-days.js';
import type { SampleSelection } from './sample-count.js';

export interface TimeseriesParams {
  types: readonly SeriesCode[];
  start: DateOrInstant;
  end: DateOrInstant;
  /** Name of the parameter that gave the end, for complaints. */
  endName: string;
  resolution: Resolution;
  /** Only what arrived through this provider. */
  provider?: ProviderId;
  /** Only this data source, by public id. */
  source?: string;
  cursor?: string;
  limit: number;
}

/** What a request means, made out before anything of its range is read. */
export interface PreparedRead {
  cursors: Cursors;
  position: Position | undefined;
  sources: SourceMap;
  selection: SampleSelection;
  /** Where the range reaches into days of which samples were archived: the local day before which they were. */
  archivedBefore: string | undefined;
}

/** @throws Failure `unprocessable` for bounds in the wrong order and for a cursor of another list */
export async function prepareRead(pool: pg.Pool, userKey: number, params: TimeseriesParams): Promise<PreparedRead> {
  const bounds = timeseriesBounds(params);
  const typeIds = seriesTypeIds(params.types).sort((a, b) => a - b);
  const list = { userKey, filters: [typeIds, params.resolution, params.provider, params.source] };
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
  const selection = { typeIds, sourceIds: chosenSources(sources, params), bounds };
  return { cursors, position, sources, selection, archivedBefore };
}

/** Internal ids of the sources that the filters leave; undefined when there is no filter. */
function chosenSources(sources: SourceMap, { provider, source }: TimeseriesParams): number[] | undefined {
  if (provider === undefined && source === undefined) return undefined;
  return [...sources.values()]
    .filter(
      (one) => (provider === undefined || one.provider === provider) && (source === undefined || one.id === source),
    )
    .map((one) => one.source_id);
}
