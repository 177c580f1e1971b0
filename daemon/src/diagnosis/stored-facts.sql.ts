import { statement } from '../platform/database/index.js';

export interface LastDataRow {
  provider: string;
  last_at: Date;
}

/**
 * Latest data time per provider of a user. Reads roll-ups and sessions, so that the cost grows with days, not with
 * samples. Ignores profile values, which are not new data. Limits times to now, because a daily total may end after now
 * and a device's clock may be ahead. Parameters: user, then arrays: provider, type and writer of profile values; now.
 */
export const lastData = statement(
  'diagnosis_last_data',
  `select s.provider, least(max(newest.last_at), $5) as last_at
   from data_source s
   cross join lateral (
     select max(coalesce(v.last_at, v.local_date::timestamp at time zone 'UTC')) as last_at
       from day_value v where v.user_key = $1 and v.source_id = s.source_id
        and not exists (select from unnest($2::text[], $3::int2[], $4::text[]) as profile(provider, type_id, writer)
                         where profile.provider = s.provider and profile.type_id = v.type_id
                           and (profile.writer is null or profile.writer = s.writer))
     union all
     select max(n.end_at) from sleep_session n where n.user_key = $1 and n.source_id = s.source_id
     union all
     select max(w.end_at) from workout w where w.user_key = $1 and w.source_id = s.source_id
     union all
     select max(h.recorded_at) from health_score h where h.user_key = $1 and h.source_id = s.source_id
   ) newest
   where s.user_key = $1
   group by s.provider
   having max(newest.last_at) is not null`,
);

export interface FailingTypeRow {
  provider: string;
  data_type: string;
  last_error: string;
  since: Date | null;
  /** Number of data types that syncs read from the provider. */
  kinds: number;
}

/**
 * SQL condition: a run that ended after a given time has read a data type. An older failure of that type, e.g. of a
 * waiting backfill, then does not describe the vendor's current state. Arguments: names in the query.
 */
export const isReadSince = (of: { userKey: string; provider: string; dataType: string; at: string }) =>
  `exists (
    select from sync_run n
     where n.user_key = ${of.userKey} and n.provider = ${of.provider} and n.ended_at > ${of.at}
       and n.created_at > ${of.at} - interval '2 days'
       and n.metadata -> 'data_types' -> ${of.dataType} ->> 'status' = 'success')`;

/**
 * Data types whose last read failed, or that an open run has failed to read so far. Omits types that the user did not
 * grant or that a newer run has read. Parameter: user.
 */
export const failingTypes = statement(
  'diagnosis_failing_types',
  `with read as (
     select c.provider, t.data_type, case when t.last_outcome = 'failed' then t.last_error end as last_error,
       coalesce(t.last_success_at, t.last_run_at) as since, t.last_run_at as failed_at
     from connection c join connection_data_type t on t.connection_id = c.id
     where c.user_key = $1
     union all
     select r.provider, p.data_type, p.error, r.created_at, r.updated_at
     from sync_run r join pull_progress p using (run_id)
     where r.user_key = $1 and r.ended_at is null
   )
   select provider, data_type, min(last_error) as last_error, min(since) as since,
     (select count(distinct a.data_type)::int from read a where a.provider = failing.provider
       and a.last_error is distinct from 'scope_missing') as kinds
   from read failing
   where last_error not like 'scope_missing%'
     and not ${isReadSince({ userKey: '$1', provider: 'failing.provider', dataType: 'failing.data_type', at: 'failing.failed_at' })}
   group by provider, data_type order by provider, data_type`,
);

export interface OpenRunRow {
  provider: string;
  run_id: string;
  created_at: Date;
  retry_reason: string | null;
  retry_attempt: number | null;
  retry_max_attempts: number | null;
  next_try_at: Date | null;
}

/**
 * SQL condition: the vendor accepted history windows of run `r` within the day before `now`. The vendor delivers them
 * hours later, so the run is not delayed.
 */
export const isAwaitingVendor = (now: string) =>
  `(r.retry_reason is null and exists (
    select from vendor_export e
     where e.run_id = r.run_id and e.state = 'requested' and e.requested_at > ${now}::timestamptz - interval '1 day'))`;

/**
 * Oldest open run per provider. Prefers runs that wait for another attempt. Omits runs whose history the vendor is
 * still delivering. Parameters: user, now.
 */
export const openRuns = statement(
  'diagnosis_open_runs',
  `select distinct on (provider) provider, run_id, created_at, retry_reason, retry_attempt, retry_max_attempts, next_try_at
   from sync_run r where user_key = $1 and ended_at is null and not ${isAwaitingVendor('$2')}
   order by provider, next_try_at nulls last, created_at`,
);

export interface UnplacedTypeRow {
  provider: string;
  data_type: string;
}

/**
 * Data types with items that a run rejected because their time zone was unknown. Only reads runs created after the
 * given time. Parameters: user, time.
 */
export const unplacedTypes = statement(
  'diagnosis_unplaced_types',
  `select distinct r.provider, t.key as data_type
   from sync_run r
   cross join lateral jsonb_each(
     case when jsonb_typeof(r.metadata -> 'data_types') = 'object' then r.metadata -> 'data_types' end) t
   where r.user_key = $1 and r.created_at > $2 and t.value -> 'rejected_by_reason' ? 'unknown_offset'
   order by r.provider, t.key`,
);

export interface PushedRow {
  provider: string;
}

/** Providers whose apps have pushed data for a user. Parameter: user. */
export const pushed = statement(
  'diagnosis_pushed',
  `select provider from device_batch where user_key = $1
   union
   select provider from sync_run where user_key = $1 and source = 'sdk'`,
);

export interface UserFactsRow {
  time_zone: string | null;
  has_offsets: boolean;
  archived_before: string | null;
}

/** Facts that apply to all providers of a user. Parameter: user. */
export const userFacts = statement(
  'diagnosis_user_facts',
  `select coalesce(u.time_zone, (select c.time_zone from connection c
                                  where c.user_key = $1 and c.time_zone is not null order by c.provider limit 1)) as time_zone,
          exists (select from offset_day where user_key = $1) as has_offsets,
          (select archived_before::text from user_archive where user_key = $1) as archived_before
   from health_user u where u.user_key = $1`,
);
