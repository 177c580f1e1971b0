import { ARCHIVED_TYPE_IDS, MS_PER_HOUR, type Resolution, type SeriesCode, seriesTypeIds } from '@healthd/model';
import type { Attribution, DateOrInstant } from '@healthd/schemas';
import type pg from 'pg';
import { statement } from '../../platform/database/index.js';
import { Failure } from '../../platform/failures.js';
import { type InstantBounds, type Requested, sqlInstant, timeseriesBounds, timeseriesEdges } from '../bounds.js';
import { Cursors, type Position } from '../page.js';
import {
  filteredSources,
  SOURCE_COLUMNS,
  type SourceFilter,
  type SourceMap,
  type SourceRow,
  withheldProviders,
} from '../sources.js';
import { type EdgeOffsets, edgeOffsets, type SampleSelection } from './sample-count.js';

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
  /** Only for samples; buckets have no IDs. */
  includesIds?: boolean;
  /** True to count samples only on the first page. */
  countsFirstPageOnly?: boolean;
  cursor?: string;
  limit: number;
}

/** A validated request, before its samples are read. */
export interface PreparedRead {
  userKey: number;
  cursors: Cursors;
  position: Position | undefined;
  sources: SourceMap;
  selection: SampleSelection;
  /** Local day before which samples were archived, if the range includes such days. */
  archivedBefore: string | undefined;
  /** Providers whose samples are omitted. */
  withheld: readonly string[] | undefined;
  /** Offsets at both edges of the range; undefined for a page without a total count. */
  edges: EdgeOffsets | undefined;
}

/**
 * @throws Failure `not_found` for an unknown user; `unprocessable` if the bounds are reversed, or the cursor belongs to
 *   another list
 */
export async function prepareRead(pool: pg.Pool, userId: string, params: TimeseriesParams): Promise<PreparedRead> {
  const context = await readContext(pool, userId, params);
  if (!context) throw new Failure('not_found', `User with ID: ${userId} not found.`);
  const { userKey, sources, archivedBefore, edges } = context;
  const bounds = timeseriesBounds(params);
  const typeIds = seriesTypeIds(params.types).sort((a, b) => a - b);
  // Adds the newer filters only if they are used, so that cursors of earlier versions remain valid.
  const { provider, source, deviceModel, dataSourceId } = params;
  const newer = deviceModel === undefined && dataSourceId === undefined ? [] : [deviceModel, dataSourceId];
  const chosen = params.filterByPriority ? ['filter_by_priority'] : [];
  const list = { userKey, filters: [typeIds, params.resolution, provider, source, ...newer, ...chosen] };
  const cursors =
    params.resolution === 'raw'
      ? // Cursors of version 1 ended with the sample kind instead of the slot.
        new Cursors(['instant', 'int2', 'int4', 'int4'], { route: 'timeseries', version: 2, ...list })
      : new Cursors(['instant', 'int2', 'int4'], { route: 'timeseries buckets', ...list });
  const position = cursors.decode(params.cursor);
  const { resolution, countsFirstPageOnly = false, filterByPriority = false } = params;
  const isCounted = resolution === 'raw' && !filterByPriority && !(countsFirstPageOnly && params.cursor !== undefined);
  const selection = { typeIds, sourceIds: filteredSources(sources, params), bounds };
  return {
    userKey,
    cursors,
    position,
    sources,
    selection,
    archivedBefore: archivedDays(archivedBefore, typeIds, bounds),
    withheld: withheldProviders(sources, params.withheld),
    edges: isCounted ? edges : undefined,
  };
}

/** Facts about a user that a list of samples needs. */
interface ReadContext {
  userKey: number;
  sources: SourceMap;
  /** Local day before which samples were archived. */
  archivedBefore: string | undefined;
  edges: EdgeOffsets;
}

/** Parameters: id of the user, first and last date of the range in UTC. */
const contextOf = statement(
  'timeseries_context',
  `select owner.user_key,
     (select json_agg(own) from (select s.id, ${SOURCE_COLUMNS} from data_source s where s.user_key = owner.user_key) own) as sources,
     (select archived_before::text from user_archive where user_key = owner.user_key) as archived_before, edges.*
   from health_user owner cross join lateral (${edgeOffsets('owner.user_key', '$2', '$3')}) edges
   where owner.id = $1`,
);

/**
 * Reads the user, the sources, the archived days and the offsets at the edges of a range in one statement.
 * @returns undefined for an unknown user
 */
export async function readContext(
  pool: pg.Pool,
  userId: string,
  range: Pick<Requested, 'start' | 'end'>,
): Promise<ReadContext | undefined> {
  const { fromMs, beforeMs } = timeseriesEdges(range);
  const dates = [fromMs, beforeMs].map((ms) => sqlInstant(ms).slice(0, 10));
  const { rows } = await pool.query<
    EdgeOffsets & {
      user_key: number;
      sources: (SourceRow & { id: string })[] | null;
      archived_before: string | null;
    }
  >(contextOf([userId, ...dates]));
  if (!rows[0]) return undefined;
  const { user_key: userKey, sources, archived_before: archivedBefore, ...edges } = rows[0];
  return {
    userKey,
    sources: new Map(sources?.map((source) => [source.source_id, source])),
    archivedBefore: archivedBefore ?? undefined,
    edges,
  };
}

/** Maximum delay between the start of a UTC day and of the same local day. */
const FURTHEST_BEHIND_MS = 12 * MS_PER_HOUR;

const archivedBeforeOf = statement(
  'reading-archived-before',
  `select archived_before::text as date from user_archive where user_key = $1`,
);

/**
 * Returns the local day before which samples were archived, if the range includes such days and any of its series is
 * archived. Responses contain it, because archived samples are not missing data.
 */
function archivedDays(
  date: string | undefined,
  typeIds: readonly number[],
  { fromMs }: InstantBounds,
): string | undefined {
  if (!typeIds.some((typeId) => ARCHIVED_TYPE_IDS.includes(typeId))) return undefined;
  return date !== undefined && fromMs < Date.parse(`${date}T00:00:00Z`) + FURTHEST_BEHIND_MS ? date : undefined;
}

/**
 * Returns the local day before which ordinary samples of a user were archived; undefined if no samples were archived.
 */
export async function readArchivedBefore(pool: pg.Pool, userKey: number): Promise<string | undefined> {
  const { rows } = await pool.query<{ date: string }>(archivedBeforeOf([userKey]));
  return rows[0]?.date;
}
