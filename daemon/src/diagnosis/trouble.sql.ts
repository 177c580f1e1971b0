import type { TroubledOrder } from '@healthd/contract';
import type { Connection } from '../connections/index.js';
import { statement } from '../platform/database/index.js';
import { isAwaitingVendor, isReadSince } from './stored-facts.sql.js';

/**
 * Facts for the diagnosis of connections, without reading users' data. Connections with the same `signature` have the
 * same diagnosis. Parameters: now; a time after which a phone must have pushed, or it counts as silent; a time after
 * which a vendor must have sent a notification, or it counts as silent; providers that send notifications.
 */
const FACTS = `
open_run as (
  select distinct on (user_key, provider) user_key, provider, run_id, created_at, retry_reason, next_try_at
  from sync_run r where ended_at is null and not ${isAwaitingVendor('$1')}
  order by user_key, provider, next_try_at nulls last, created_at
), failed_type as (
  select t.connection_id, min(t.data_type || ': ' || t.last_error) as error,
    min(coalesce(t.last_success_at, t.last_run_at)) as since
  from connection_data_type t join connection o on o.id = t.connection_id
  where t.last_outcome = 'failed' and t.last_error is not null and t.last_error not like 'scope_missing%'
    and not ${isReadSince({ userKey: 'o.user_key', provider: 'o.provider', dataType: 't.data_type', at: 't.last_run_at' })}
  group by t.connection_id
), failing_run as (
  select r.user_key, r.provider, min(p.data_type || ': ' || p.error) as error, min(r.created_at) as since
  from sync_run r join pull_progress p using (run_id)
  where r.ended_at is null and p.error is not null and p.error not like 'scope_missing%'
    and not ${isReadSince({ userKey: 'r.user_key', provider: 'r.provider', dataType: 'p.data_type', at: 'r.updated_at' })}
  group by r.user_key, r.provider
), facts as (
  select c.user_key, c.provider, c.status, c.status_reason, c.scope, c.account_state, c.access_token is not null as has_tokens,
    c.consented_at is not null as has_consented, c.failing_since is not null as is_failing, left(c.last_error, 200) as last_error,
    coalesce(f.error, g.error) as failed_type, r.run_id is not null as has_run,
    split_part(r.retry_reason, ' ', 1) as retry_reason, r.created_at < $1::timestamptz - interval '10 minutes' as is_run_old,
    case when c.access_token is not null or coalesce(c.last_synced_at, c.created_at) >= $2 then false
      else exists (select from device_batch b where b.user_key = c.user_key and b.provider = c.provider)
        or exists (select from sync_run s where s.user_key = c.user_key and s.provider = c.provider and s.source = 'sdk')
    end as is_phone_silent,
    c.access_token is not null and c.provider = any($4)
      and coalesce(c.last_notified_at, c.consented_at, c.created_at) < $3 as is_webhook_silent,
    c.consented_at, c.failing_since, c.last_notified_at, c.last_synced_at, c.created_at, c.updated_at,
    least(f.since, g.since) as failed_since, r.created_at as run_at
  from connection c
  left join open_run r on r.user_key = c.user_key and r.provider = c.provider
  left join failed_type f on f.connection_id = c.id
  left join failing_run g on g.user_key = c.user_key and g.provider = c.provider
)`;

/** Columns that connections with the same diagnosis share. */
const SIGNATURE = `provider, status, status_reason, scope, account_state, has_tokens, has_consented, is_failing, last_error, failed_type,
  has_run, retry_reason, is_run_old, is_phone_silent, is_webhook_silent`;

/** Times that a diagnosis may report as the start of a problem. */
export const INSTANTS = [
  'consented_at',
  'failing_since',
  'last_notified_at',
  'last_synced_at',
  'created_at',
  'updated_at',
  'failed_since',
  'run_at',
] as const;
type Instants = { [name in (typeof INSTANTS)[number]]: Date | null };

export interface SignatureRow {
  signature: string;
  provider: string;
  status: 'active' | 'revoked' | 'expired';
  status_reason: string | null;
  scope: string | null;
  account_state: Connection['accountState'];
  has_tokens: boolean;
  has_consented: boolean;
  is_failing: boolean;
  last_error: string | null;
  failed_type: string | null;
  has_run: boolean;
  retry_reason: string | null;
  is_run_old: boolean | null;
  is_phone_silent: boolean;
  is_webhook_silent: boolean;
  connections: number;
  /** Earliest and latest value of each time in {@link INSTANTS}. */
  earliest: Record<string, string | null>;
  latest: Record<string, string | null>;
}

const rangeOf = (which: 'min' | 'max') =>
  `json_build_object(${INSTANTS.map((name) => `'${name}', ${which}(${name})`).join(', ')})`;

/** Counts all connections by signature, in one scan of the connections. Returns one row per signature. */
export const signatures = statement(
  'diagnosis_signatures',
  `with ${FACTS}
   select md5(row(${SIGNATURE})::text) as signature, ${SIGNATURE}, count(*)::int as connections,
     ${rangeOf('min')} as earliest, ${rangeOf('max')} as latest
   from facts group by ${SIGNATURE}`,
);

export interface TroubledRow extends Instants {
  signature: string;
  user_id: string;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  /** Sort key in epoch microseconds. */
  position_micros: number;
}

/** Sort expression of each order. The value of `latest` changes often; the creation time never changes. */
const ORDERED_BY: Readonly<Record<TroubledOrder, string>> = {
  latest: 'greatest(failing_since, failed_since, run_at, updated_at)',
  created_at: 'created_at',
};

/**
 * Users of a provider whose connection has one of these signatures, newest first. Further parameters: signatures,
 * provider, limit, and the position after which the page starts (microseconds and user ID) or null.
 */
export const troubledUsers = (order: TroubledOrder) =>
  statement(
    `diagnosis_troubled_users_${order}`,
    `with ${FACTS}, found as (
       select md5(row(${SIGNATURE})::text) as signature, user_key, ${ORDERED_BY[order]} as place, ${INSTANTS.join(', ')}
         from facts where provider = $6
     )
     select f.signature, u.id as user_id, u.first_name, u.last_name, u.email,
       ${INSTANTS.map((name) => `f.${name}`).join(', ')}, (extract(epoch from f.place) * 1000000)::bigint as position_micros
     from found f join health_user u using (user_key)
     where f.signature = any($5) and ($8::bigint is null
       or (f.place, u.id) < (timestamptz 'epoch' + $8 * interval '1 microsecond', $9::uuid))
     order by f.place desc, u.id desc limit $7`,
  );
