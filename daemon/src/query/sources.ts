import { DEVICE_TYPES, type DeviceType, deviceName } from '@healthd/model';
import type { SourceMetadata } from '@healthd/schemas';
import type pg from 'pg';
import { statement } from '../platform/database/index.js';
import type { PriorityStore } from '../priorities/index.js';
import { type RankedSource, type RuleSource, ruleSource } from '../store/facts/index.js';
import type { Withheld } from './withheld.js';

/**
 * Returns SQL of `source.source` in responses: the writer, or the name of a device that pushed or exported the data. Hides
 * names from vendor clouds.
 * @param source alias of a row of `data_source`
 */
export function shownWriter(source: string): string {
  return `coalesce(${source}.writer, case when not ${source}.from_cloud then ${source}.original_source_name end)`;
}

/** Columns of `data_source s` for {@link sourceMetadata} and `ruleSource`; `writer` as in responses. */
export const SOURCE_COLUMNS = `s.source_id, s.provider, s.account, s.from_cloud, s.device_model, ${shownWriter('s')} as writer,
  s.writer as own_writer, s.device_id, s.device_type`;

/**
 * SQL of a `with` clause that reads the sources of user $1 once, as `source`. A join with the table would look up the
 * same few sources for every row of a list.
 */
export const WITH_SOURCES = `with source as materialized (
     select s.id as data_source_id, ${SOURCE_COLUMNS} from data_source s where s.user_key = $1
   )`;

/** Columns of {@link SOURCE_COLUMNS} in {@link WITH_SOURCES}. */
export const LISTED_SOURCE_COLUMNS = `source.source_id, source.provider, source.account, source.from_cloud,
     source.device_model, source.writer, source.own_writer, source.device_id, source.device_type`;

/** A source with the columns of {@link SOURCE_COLUMNS}. */
export interface SourceRow extends RankedSource {
  source_id: number;
  /** Writer as in responses. */
  writer: string | null;
}

/** Returns {@link ruleSource} with a cache for the sources of one user. */
export function ruleSources(): (row: SourceRow) => RuleSource {
  const known = new Map<number, RuleSource>();
  return (row) => {
    const source = known.get(row.source_id) ?? ruleSource(row);
    known.set(row.source_id, source);
    return source;
  };
}

/** Sources of one user by internal id, a few dozen at most. */
export type SourceMap = ReadonlyMap<number, SourceRow & { id: string }>;

const readSources = statement(
  'reading_sources',
  `select s.id, ${SOURCE_COLUMNS} from data_source s where s.user_key = $1`,
);

export async function sourcesOf(pool: pg.Pool, userKey: number): Promise<SourceMap> {
  const { rows } = await pool.query<SourceRow & { id: string }>(readSources([userKey]));
  return new Map(rows.map((row) => [row.source_id, row]));
}

/** Filters by source. A source must match all filters. */
export interface SourceFilter {
  /** Providers whose sources must not be shown. */
  withheld?: Withheld | undefined;
  provider?: string | undefined;
  /** Public id of a data source, or the writer as in responses. */
  source?: string | undefined;
  /** Hardware model as in responses. */
  deviceModel?: string | undefined;
  /** Public id. */
  dataSourceId?: string | undefined;
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Returns the internal ids of matching sources; undefined without a filter. */
export function filteredSources(sources: SourceMap, filter: SourceFilter): number[] | undefined {
  const { provider, source, deviceModel, dataSourceId, withheld } = filter;
  const isWithheld = (one: SourceRow) => withheld?.has(one.provider) ?? false;
  const isLimited = [...sources.values()].some(isWithheld);
  if (!isLimited && [provider, source, deviceModel, dataSourceId].every((one) => one === undefined)) return undefined;
  const isNamed = ({ id, writer }: SourceRow & { id: string }) =>
    source === undefined || (UUID.test(source) ? id === source.toLowerCase() : writer === source);
  return [...sources.values()]
    .filter(
      (one) =>
        isNamed(one) &&
        !isWithheld(one) &&
        (provider === undefined || one.provider === provider) &&
        (deviceModel === undefined || one.device_model === deviceModel) &&
        (dataSourceId === undefined || one.id === dataSourceId),
    )
    .map((one) => one.source_id);
}

/** Reads the sources of one user if a filter needs them. */
export async function sourcesFor(pool: pg.Pool, userKey: number, filter: SourceFilter): Promise<SourceMap> {
  const { withheld, ...filters } = filter;
  const isNeeded = (withheld?.size ?? 0) > 0 || Object.values(filters).some((one) => one !== undefined);
  return isNeeded ? sourcesOf(pool, userKey) : new Map();
}

/** Returns the providers of the user's sources that must not be shown; undefined if all sources may be shown. */
export function withheldProviders(sources: SourceMap, withheld: Withheld | undefined): string[] | undefined {
  const found = new Set([...sources.values()].map(({ provider }) => provider).filter((one) => withheld?.has(one)));
  return found.size === 0 ? undefined : [...found].sort();
}

/** Cache of shown sources by row, because a page of summaries names each source many times. */
const shownSources = new WeakMap<SourceRow, SourceMetadata>();

/** Converts a source to its API form. */
export function sourceMetadata(source: SourceRow | undefined): Readonly<SourceMetadata> {
  if (!source) return metadataOf(source);
  let shown = shownSources.get(source);
  if (!shown) {
    shown = metadataOf(source);
    shownSources.set(source, shown);
  }
  return shown;
}

function metadataOf(source: SourceRow | undefined): SourceMetadata {
  return {
    provider: source?.provider ?? 'unknown',
    source: source?.writer ?? null,
    device: source?.device_model ?? null,
    device_type: knownDeviceType(source?.device_type ?? null),
    device_name: deviceName(source?.device_model ?? undefined) ?? null,
  };
}

/** Converts a source to its API form; null if undefined. */
export function sourceOrNull(source: SourceRow | undefined): Readonly<SourceMetadata> | null {
  return source ? sourceMetadata(source) : null;
}

/** Returns the stored device type; null if unknown. */
export function knownDeviceType(text: string | null): DeviceType | null {
  return DEVICE_TYPES.find((type) => type === text) ?? null;
}

/** Inputs of summaries: the database, and the priorities that select sources. */
export interface SummarySource {
  pool: pg.Pool;
  priorities: Pick<PriorityStore, 'current'>;
}
