/** Queues the repair of nights that a stage at a wrong time removed in earlier versions. */
export const lostNights = {
  name: '2026-11-29_20_lost_nights',
  sql: `
insert into pending_repair (user_key, repair)
select distinct user_key, 'lost_nights' from sleep_stage where session_id is not null
on conflict do nothing;
`,
};
