import { DEVICE_TYPES, type DeviceType, deviceName } from '@healthd/model';
import type { SourceMetadata } from '@healthd/schemas';
import type pg from 'pg';
import { statement } from '../platform/database/index.js';

/** Columns of `data_source s` that {@link sourceMetadata} needs. */
export const SOURCE_COLUMNS = 's.source_id, s.provider, s.device_model, s.writer, s.device_type';

/** A source as the columns of {@link SOURCE_COLUMNS} give it. */
export interface SourceRow {
  source_id: number;
  provider: string;
  device_model: string | null;
  writer: string | null;
  device_type: string | null;
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

/** The stored device type, or null where there is none. */
export function knownDeviceType(text: string | null): DeviceType | null {
  return DEVICE_TYPES.find((type) => type === text) ?? null;
}
