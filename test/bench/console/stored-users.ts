import type pg from 'pg';

/** Runs per connection. A real service keeps at least a month of runs. */
const RUNS_EACH = 6;
const AUDIT_RECORDS_EACH = 10;
/** Minutes between the creation times of two users, counted backwards from now. */
const CREATED_EVERY_MINUTES = 7;

const FIRST_NAMES = [
  'Ada',
  'Bo',
  'Chloé',
  'Dmitri',
  'Elif',
  'Farid',
  'Grace',
  'Hanna',
  'Ines',
  'Jørgen',
  'Kofi',
  'Łucja',
];
const LAST_NAMES = [
  'Adeyemi',
  'Berg',
  'Castillo',
  'Dubois',
  'Eriksen',
  'Fischer',
  'García',
  'Huang',
  'Ito',
  'Jansen',
  'Kaya',
];

/**
 * Adds generated users with runs and audit records, like a service's users after a month. Nine of ten users are
 * connected, and a fifth to a second provider. Three in a hundred connections fail, two have ended, and one in a
 * hundred runs failed.
 */
export async function storePeople(pool: pg.Pool, users: number): Promise<void> {
  await pool.query(
    `insert into health_user (id, email, first_name, last_name, external_user_id, created_at)
     select gen_random_uuid(), 'person' || n || '@example.com', ($2::text[])[1 + n % $4::int], ($3::text[])[1 + (n / $4::int) % $5::int],
       'customer-' || n, now() - n * interval '${CREATED_EVERY_MINUTES} minutes'
     from generate_series(1, $1::int) n`,
    [users, FIRST_NAMES, LAST_NAMES, FIRST_NAMES.length, LAST_NAMES.length],
  );
  for (const statement of [CONNECTIONS, RUNS, AUDIT_RECORDS]) await pool.query(statement);
  await pool.query('vacuum (analyze)');
}

const CONNECTIONS = `
insert into connection (user_key, provider, status, status_reason, access_token, consented_at, last_synced_at,
  failing_since, last_error, last_error_at, created_at)
select user_key, provider,
  case when user_key % 50 = 7 then 'revoked' else 'active' end,
  case when user_key % 50 = 7 then 'refresh_failed' end,
  case when provider <> 'apple' and user_key % 50 <> 7 then 'made up' end,
  case when provider <> 'apple' then created_at end,
  now() - (user_key % 1440) * interval '1 minute',
  case when user_key % 33 = 5 then now() - interval '5 hours' end,
  case when user_key % 33 = 5 then 'The vendor answered with 503.' end,
  case when user_key % 33 = 5 then now() - interval '1 hour' end,
  created_at + interval '3 minutes'
from health_user, lateral (
  select unnest(case when user_key % 10 = 0 then '{}'::text[]
                     when user_key % 5 = 1 then '{apple,oura}'::text[]
                     when user_key % 3 = 0 then '{google}'::text[]
                     else '{apple}'::text[] end) as provider) chosen`;

const RUNS = `
insert into sync_run (run_id, user_key, provider, source, stage, status, error, created_at, started_at, ended_at, updated_at)
select 'run_' || c.id || '_' || n, c.user_key, c.provider, case c.provider when 'apple' then 'sdk' else 'pull' end,
  case when is_failed then 'failed' else 'completed' end, case when is_failed then 'failed' else 'success' end,
  case when is_failed then 'The vendor answered with 503.' end, at, at, at + interval '2 seconds', at + interval '2 seconds'
from connection c cross join generate_series(1, ${RUNS_EACH}) n
cross join lateral (select now() - (c.user_key % 1440 + n * 1440) * interval '1 minute' as at,
  (c.user_key * 7 + n * 13) % 100 = 0 as is_failed) made`;

const AUDIT_RECORDS = `
insert into audit_event (at, actor_type, actor_id, user_id, resource, action, outcome, status, route)
select now() - n * interval '1 day' - user_key * interval '1 second', 'api_key', 'bench', id, 'timeseries', 'read', 'success',
  200, 'readTimeseries'
from health_user cross join generate_series(1, ${AUDIT_RECORDS_EACH}) n`;
