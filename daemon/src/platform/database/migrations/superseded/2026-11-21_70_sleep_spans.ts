/**
 * What summaries ask of the stages of a night, worked out when the night is stored: a summary of 90 days otherwise reads
 * and takes apart 300 kB of stages. Postgres keeps the columns in step with `stages`, whoever writes them.
 */
export const sleepSpans = {
  name: '2026-11-21_70_sleep_spans',
  sql: `
-- The instants in stages are ISO 8601 in UTC, so reading them depends on no setting of the session. A function that calls
-- another would not be found by tools that restore without a search path, so both list the stages themselves.

-- Start and end of each stretch asleep in turn, in milliseconds since 1970; touching stages make one stretch.
create function asleep_spans(stages jsonb) returns double precision[]
language sql immutable parallel safe as $$
  select case when stages is not null then array(
    select extract(epoch from edge)::float8 * 1000
      from unnest((select range_agg(tstzrange(start_time, end_time))
                     from jsonb_to_recordset(case when jsonb_typeof(stages) = 'array' then stages end)
                       as listed (stage text, start_time timestamptz, end_time timestamptz)
                    where stage in ('sleeping', 'light', 'deep', 'rem') and start_time < end_time)) as stretch,
           unnest(array[lower(stretch), upper(stretch)]) as edge
     order by edge
  ) end
$$;

-- Times awake for a minute or more between falling asleep and waking up; null where the stages do not tell waking from
-- sleeping.
create function awakenings(stages jsonb) returns integer
language sql immutable parallel safe as $$
  select case when bool_or(stage in ('awake', 'light', 'deep', 'rem')) then count(*) filter (
      where stage = 'awake' and end_time - start_time >= interval '1 minute'
        and start_time >= asleep_at and end_time <= woken_at
    ) end
    from (
      select stage, start_time, end_time,
             min(start_time) filter (where stage in ('sleeping', 'light', 'deep', 'rem')) over () as asleep_at,
             max(end_time) filter (where stage in ('sleeping', 'light', 'deep', 'rem')) over () as woken_at
        from jsonb_to_recordset(case when jsonb_typeof(stages) = 'array' then stages end)
             as listed (stage text, start_time timestamptz, end_time timestamptz)
    ) spans
$$;

alter table sleep_session
  add column asleep_spans double precision[] generated always as (asleep_spans(stages)) stored,
  add column awakenings integer generated always as (awakenings(stages)) stored;
`,
};
