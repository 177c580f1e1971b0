import { COMPUTED_SERIES, COMPUTED_SLOT, seriesTypeById } from '@healthd/model';
import type { ClientBase } from 'pg';
import { sampleKind } from '../../platform/database/index.js';
import { DEVICE_OF_ROW, ID_OF_ROW, SAMPLE_ID } from '../../store/facts/index.js';

/** One archive file in newline-delimited JSON. */
export interface ExportFile {
  path: string;
  /** Description for the README. */
  about: string;
  /** One-column query that returns the lines. */
  sql: string;
}

export interface ExportedUser {
  id: string;
  userKey: number;
}

/** File and description of each table. A table without an entry becomes a file under its own name. */
const TABLE_FILES: Readonly<Record<string, { path: string; about: string }>> = {
  health_user: { path: 'profile', about: 'the user record' },
  personal_record: { path: 'personal_record', about: 'birth date and gender' },
  data_source: {
    path: 'data_sources',
    about: 'devices and apps that measured data; other files refer to them by source_id',
  },
  sleep_session: { path: 'sleep_sessions', about: 'nights and naps' },
  sleep_stage: { path: 'sleep_stages', about: 'individual sleep stages' },
  workout: { path: 'workouts', about: 'workouts' },
  menstrual_cycle: { path: 'menstrual_cycles', about: 'menstrual cycles' },
  health_score: { path: 'health_scores', about: 'scores computed by vendors' },
  connection: { path: 'connections', about: 'connections to providers: account, consent, state; without tokens' },
  oauth_state: { path: 'consents_under_way', about: 'consents that were started and not completed' },
  connect_link: { path: 'connect_links', about: 'connect links, without their URLs' },
  connect_link_use: { path: 'connect_link_uses', about: 'outcome of each provider of these links' },
  sync_run: { path: 'runs', about: 'imports, syncs and pushes' },
  sync_event: { path: 'run_events', about: 'individual steps of these runs' },
  import_file: { path: 'import_files', about: 'uploaded files: size, checksum, time' },
  device_batch: {
    path: 'device_batches',
    about: 'batches that devices pushed; an unprocessed body is in hex, exactly as it was sent',
  },
  refresh_token: { path: 'device_sessions', about: 'sessions of devices that push data, without their tokens' },
  user_invitation_code: { path: 'invitation_codes', about: 'invitation codes that were issued, without the codes' },
  session_tombstone: {
    path: 'deleted_sessions',
    about: 'nights, workouts and cycles that were deleted here and must not return',
  },
  push_device: { path: 'push_devices', about: 'phones that push, with the names that they send' },
  pushed_sample: {
    path: 'pushed_samples',
    about: 'samples that a phone pushed, by series, start and source, with a hash of the phone’s ID for each',
  },
  pushed_tombstone: {
    path: 'deleted_on_phones',
    about: 'items that a phone reported as deleted and that remain deleted, without their values',
  },
  pushed_range: {
    path: 'deleted_ranges',
    about: 'ranges in which a phone deleted items, by series and source',
  },
  source_alias: {
    path: 'source_aliases',
    about: 'phone apps by bundle ID, and their names in exports',
  },
  pending_repair: { path: 'pending_repairs', about: 'pending repairs of this data after an upgrade' },
  user_state: { path: 'user_state', about: 'number of changes in the feed; time and provider of the last data' },
  user_events: { path: 'event_counters', about: 'number of feed entries about the user, connections and runs' },
  change: { path: 'changes', about: 'what changed in this data, and when; without values' },
  user_digest: { path: 'digest_state', about: 'position of the kept digests; without their key' },
  day_digest: { path: 'derived/day_digests', about: 'digests of the data of each day' },
  expired_series: { path: 'archived/expired_series', about: 'day before which samples of a series were deleted' },
  audit_event: { path: 'audit_events', about: 'who did what to this data, and when' },
  sample_extremes: {
    path: 'sample_extremes',
    about: 'minimum and maximum of the readings behind hourly and daily means',
  },
  offset_day: { path: 'derived/offset_days', about: 'UTC offsets of the data on each day' },
  day_value: { path: 'derived/day_values', about: 'daily figures of each series and source' },
  day_minutes: { path: 'derived/day_minutes', about: 'active minutes and heart rate seconds of each day' },
  day_merged: { path: 'derived/merged_days', about: 'daily amounts of all sources of one provider account' },
  night_value: { path: 'derived/night_values', about: 'physiology of each night' },
  user_archive: { path: 'archived/before', about: 'day before which samples were archived' },
  day_archive: { path: 'archived/days', about: 'totals of archived samples by day, series and source' },
  archived_minute: { path: 'archived/minutes', about: 'minutes of UTC days that archived samples cover' },
  merged_archive: {
    path: 'archived/merged_amounts',
    about: 'contribution of archived samples to the amounts of all sources',
  },
  night_source: { path: 'archived/night-sources', about: 'source of each group of figures, for archived nights' },
  night_archive: { path: 'archived/nights', about: 'contribution of archived samples to each night' },
};

/** Table of samples. The archive contains one file per series. */
const SAMPLES = 'sample';

/** Returns all files about one user in archive order: the user first, long lists of samples last. */
export async function exportFiles(client: ClientBase, user: ExportedUser): Promise<ExportFile[]> {
  const tables = await userTables(client);
  const known = Object.keys(TABLE_FILES);
  const position = ({ name }: UserTable) => (known.includes(name) ? known.indexOf(name) : known.length);
  const files = tables
    .filter(({ name }) => name !== SAMPLES)
    .sort((a, b) => position(a) - position(b))
    .map((table) => tableFile(table, user));
  for (const typeId of await storedTypes(client, user.userKey)) files.push(samplesFile(typeId, user.userKey));
  return files;
}

function tableFile(table: UserTable, user: ExportedUser): ExportFile {
  const { path, about } = TABLE_FILES[table.name] ?? { path: table.name, about: `rows of ${table.name}` };
  const columns = table.columns.map((column) => `"${column}"`).join(', ');
  const owner = table.ownerColumn === 'user_key' ? keyText(user.userKey) : uuidText(user.id);
  const rows = `select ${columns} from "${table.name}" where "${table.ownerColumn}" = ${owner}`;
  const others = table.name === 'pushed_sample' ? ` union all ${pushedInRows(table.columns, user.userKey)}` : '';
  return { path: `${path}.ndjson`, about, sql: `select to_json(r) from (${rows}${others}) r` };
}

/**
 * Returns SQL for samples that contain the ID under which a phone pushed them, in the format of `pushed_sample` rows.
 */
function pushedInRows(columns: readonly string[], userKey: number): string {
  const values: Readonly<Record<string, string>> = {
    id_hash: ID_OF_ROW,
    device: DEVICE_OF_ROW,
    parent_hash: 'null::bigint',
  };
  const selected = columns.map((column) => values[column] ?? `s."${column}"`);
  return `select ${selected.join(', ')} from sample s where s.user_key = ${keyText(userKey)} and s.pushed is not null`;
}

function samplesFile(typeId: number, userKey: number): ExportFile {
  const series = seriesTypeById(typeId);
  const isOfComputedSeries = typeId === COMPUTED_SERIES.typeId;
  const provenance = isOfComputedSeries
    ? `,\n        case when s.slot = ${COMPUTED_SLOT} then 'computed' else 'vendor' end as provenance`
    : '';
  return {
    path: `samples/${series?.code ?? `type_${typeId}`}.ndjson`,
    about: series ? `${series.code}, value in ${series.unit}` : `series number ${typeId}`,
    // Orders by primary key, so that the server sends rows while it reads them.
    sql: `select to_json(r) from (
      select ${SAMPLE_ID} as id, s.start_at, s.duration_ms, s.value, s.offset_minutes, s.source_id,
        (array['sample', 'daily_total', 'aggregate'])[${sampleKind('s.')} + 1] as kind${provenance}
      from sample s cross join lateral
        (select id from data_source where user_key = s.user_key and source_id = s.source_id offset 0) d
      where s.user_key = ${keyText(userKey)} and s.type_id = ${keyText(typeId)}
      order by s.user_key, s.type_id, s.start_at, s.source_id, s.slot) r`,
  };
}

/** Returns the series numbers of the user's samples, with one index lookup per series. */
async function storedTypes(client: ClientBase, userKey: number): Promise<number[]> {
  const { rows } = await client.query<{ type_id: number }>(
    `with recursive found (type_id) as (
       (select type_id from sample where user_key = $1 order by type_id limit 1)
       union all
       select (select s.type_id from sample s where s.user_key = $1 and s.type_id > found.type_id
               order by s.type_id limit 1)
       from found where found.type_id is not null)
     select type_id from found where type_id is not null order by type_id`,
    [userKey],
  );
  return rows.map((row) => row.type_id);
}

// Validates a key for the text of a statement, because COPY has no parameters.
function keyText(key: number): string {
  if (!Number.isSafeInteger(key)) throw new TypeError('a key must be a whole number');
  return String(key);
}

function uuidText(id: string): string {
  if (!/^[0-9a-f-]{36}$/.test(id)) throw new TypeError('an id must be a UUID');
  return `'${id}'`;
}

/** A table with rows about individual users. */
interface UserTable {
  name: string;
  /** Column that identifies the row's user. If a table has both, the internal key is used. */
  ownerColumn: 'user_key' | 'user_id';
  /** Exported columns: all except the internal key, secrets, and generated columns. */
  columns: string[];
}

/**
 * Lists all tables with rows about individual users from the database's catalog, so that no table can be forgotten.
 * Omits job tables, which contain IDs but no data. Omits secrets (hashes, and encrypted tokens, codes and keys): they
 * are credentials of the service and contain no information about the user.
 */
async function userTables(client: Pick<ClientBase, 'query'>): Promise<UserTable[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                         and a.attgenerated = ''
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname not like 'agenda\\_%'
     group by c.relname
    having bool_or(a.attname in ('user_key', 'user_id'))
     order by c.relname`);
  return rows.map(({ name, columns }) => ({
    name,
    ownerColumn: columns.includes('user_key') ? 'user_key' : 'user_id',
    columns: columns.filter((column) => column !== 'user_key' && !isSecret(column)),
  }));
}

function isSecret(column: string): boolean {
  return /(^|_)(hash|sealed|secret|token|ciphertext|data_key)$/.test(column);
}
