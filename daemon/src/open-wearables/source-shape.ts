import { Failure } from '../platform/failures.js';
import type { SourceDatabase } from './source-database.js';

/** Columns that the migration reads, by table of Open Wearables. */
const COLUMNS: Readonly<Record<string, string>> = {
  user: 'id first_name last_name email external_user_id created_at',
  personal_record: 'user_id birth_date gender',
  user_connection:
    'user_id provider provider_user_id provider_username access_token refresh_token scope token_expires_at status ' +
    'last_synced_at created_at updated_at',
  data_source: 'id user_id provider device_model software_version source device_type original_source_name',
  series_type_definition: 'id code unit',
  data_point_series: 'id data_source_id series_type_definition_id recorded_at zone_offset value is_daily_total',
  data_point_series_archive: 'id data_source_id series_type_definition_id bucket_start_at aggregation_type value',
  event_record:
    'id external_id data_source_id category type source_name duration_seconds start_datetime end_datetime zone_offset ' +
    'created_at',
  sleep_details:
    'record_id sleep_total_duration_minutes sleep_time_in_bed_minutes sleep_efficiency_score sleep_deep_minutes ' +
    'sleep_rem_minutes sleep_light_minutes sleep_awake_minutes is_nap sleep_stages',
  workout_details:
    'record_id heart_rate_min heart_rate_max heart_rate_avg energy_burned distance steps_count max_speed average_speed ' +
    'average_cadence max_watts average_watts moving_time_seconds total_elevation_gain elev_high elev_low segments ' +
    'hr_zones power_zones',
  menstrual_cycle_details: 'record_id',
  health_score: 'id user_id data_source_id provider category value qualifier recorded_at zone_offset components',
  provider_priority: 'provider priority',
  device_type_priority: 'device_type priority',
  archival_settings: 'archive_after_days delete_after_days',
  api_key: 'id name created_at',
};

/**
 * Checks that the source is an Open Wearables database, before any data is read.
 * @throws Failure `bad_request` that names the missing parts
 */
export async function requireSourceShape(source: SourceDatabase): Promise<void> {
  // Reads the catalog, because the information schema omits columns without read permission.
  const rows = await source.query<{ table: string; name: string; is_readable: boolean }>(
    `select c.relname as table, c.relname || '.' || a.attname as name, has_table_privilege(c.oid, 'select') as is_readable
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relkind in ('r', 'p', 'v', 'm', 'f')
        and c.relnamespace in (select oid from pg_namespace where nspname = any (current_schemas(false)))`,
  );
  const forbidden = new Set(rows.filter((row) => !row.is_readable && row.table in COLUMNS).map(({ table }) => table));
  if (forbidden.size > 0) {
    throw new Failure(
      'bad_request',
      `${source.shown}: the user may not read ${[...forbidden].join(', ')}. Grant SELECT on these tables and start again.`,
    );
  }
  const known = new Set(rows.map(({ name }) => name));
  const missing = Object.entries(COLUMNS).flatMap(([table, columns]) => {
    const absent = columns.split(' ').filter((column) => !known.has(`${table}.${column}`));
    return absent.length === columns.split(' ').length ? [table] : absent.map((column) => `${table}.${column}`);
  });
  if (missing.length === 0) return;
  throw new Failure(
    'bad_request',
    `${source.shown} is not an Open Wearables database that this version can read. Missing: ${missing.join(', ')}.`,
  );
}

/** Counts the rows of an optional table; undefined if it does not exist. */
export async function countIfPresent(source: SourceDatabase, table: string): Promise<number | undefined> {
  const [found] = await source.query<{ present: boolean }>('select to_regclass($1) is not null as present', [table]);
  if (!found?.present) return undefined;
  const [counted] = await source.query<{ count: number }>(`select count(*)::float8 as count from ${table}`);
  return counted?.count ?? 0;
}
