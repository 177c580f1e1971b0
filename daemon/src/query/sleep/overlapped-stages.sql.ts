/** SQL for the stages of a session `n` where another session of its source and wake date overlaps it, else null. */
export const OVERLAPPED_STAGES = `case when exists (
    select from sleep_session o
    where o.user_key = n.user_key and o.wake_date = n.wake_date and o.source_id = n.source_id and o.id <> n.id
      and o.start_at < n.end_at and o.end_at > n.start_at) then n.stages end as overlapped_stages`;
