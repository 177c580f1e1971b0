import { DEVICE_TYPES, type DeviceType, deviceName } from '@healthd/model';
import type { SourceMetadata } from '@healthd/schemas';
import type pg from 'pg';
import { statement } from '../platform/database/index.js';
import { type RankedSource, type RuleSource, ruleSource } from '../store/facts/index.js';
import type { Withheld } from './withheld.js';

/**
 * SQL of the text that answers show as `source.source`: the writer, else the name of a phone's or a file's own device. What a
 * cloud calls its sources is not shown.
 * @param source alias of a row of `data_source`
 */
export function shownWriter(source: string): string {
  return `coalesce(${source}.writer, case when not ${source}.from_cloud then ${source}.original_source_name end)`;
}

/** Columns of `data_source s` that {@link sourceMetadata} and `ruleSource` need; `writer` as answers show it. */
export const SOURCE_COLUMNS = `s.source_id, s.provider, s.account, s.from_cloud, s.device_model, ${shownWriter('s')} as writer,
  s.writer as own_writer, s.device_id, s.device_type`;

/** A source as the columns of {@link SOURCE_COLUMNS} give it. */
export interface SourceRow extends RankedSource {
  source_id: number;
  /** As answers show it. */
  writer: string | null;
}

/** Returns {@link ruleSource} with a memory for the sources of one user. */
export function ruleSources(): (row: SourceRow) => RuleSource {
  const known = new Map<number, RuleSource>();
  return (row) => {
    const source = known.get(row.source_id) ?? ruleSource(row);
    known.set(row.source_id, source);
    return source;
  };
}

/** The sources of one user by internal id. A user has some dozens at most. */
export type SourceMap = ReadonlyMap<number, SourceRow & { id: string }>;

const readSources = statement(
  'reading_sources',
  `select s.id, ${SOURCE_COLUMNS} from data_source s where s.user_key = $1`,
);

export async function sourcesOf(pool: pg.Pool, userKey: number): Promise<SourceMap> {
  const { rows } = await pool.query<SourceRow & { id: string }>(readSources([userKey]));
  return new Map(rows.map((row) => [row.source_id, row]));
}

/** Filters by source; all that are given must hold. */
export interface SourceFilter {
  /** Providers whose sources must not be shown. */
  withheld?: Withheld | undefined;
  provider?: string | undefined;
  /** Public id of a data source, else the writer as answers show it. */
  source?: string | undefined;
  /** Raw hardware model, as answers show it. */
  deviceModel?: string | undefined;
  /** Public id. */
  dataSourceId?: string | undefined;
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Internal ids of the sources that the filter leaves; undefined without a filter. */
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

/** The sources of one user if the filter needs them; a list without a filter saves the read. */
export async function sourcesFor(pool: pg.Pool, userKey: number, filter: SourceFilter): Promise<SourceMap> {
  const { withheld, ...given } = filter;
  const isNeeded = (withheld?.size ?? 0) > 0 || Object.values(given).some((one) => one !== undefined);
  return isNeeded ? sourcesOf(pool, userKey) : new Map();
}

/** Providers of the person's sources that must not be shown; undefined if there are none. */
export function withheldProviders(sources: SourceMap, withheld: Withheld | undefined): string[] | undefined {
  const found = new Set([...sources.values()].map(({ provider }) => provider).filter((one) => withheld?.has(one)));
  return found.size === 0 ? undefined : [...found].sort();
}

/** How answers show where a value comes from. */
export function sourceMetadata(source: SourceRow | undefined): SourceMetadata {
  return {
    provider: source?.provider ?? 'unknown',
    source: source?.writer ?? null,
    device: source?.device_model ?? null,
    device_type: knownDeviceType(source?.device_type ?? null),
    device_name: deviceName(source?.device_model ?? undefined) ?? null,
  };
}

/** The same for a source that may be missing. */
export function sourceOrNull(source: SourceRow | undefined): SourceMetadata | null {
  return source ? sourceMetadata(source) : null;
}

/** The stored device type, or null where there is none. */
export function knownDeviceType(text: string | null): DeviceType | null {
  return DEVICE_TYPES.find((type) => type === text) ?? null;
}
