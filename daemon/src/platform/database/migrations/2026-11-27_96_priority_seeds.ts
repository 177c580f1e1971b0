/**
 * Every known provider has a priority from the start, so that the order in which providers are first seen decides nothing.
 * Numbers that an operator set stay; providers without one follow in the order of the defaults.
 */
export const prioritySeeds = {
  name: '2026-11-27_96_priority_seeds',
  sql: `
insert into provider_priority (provider, priority)
select seeded.provider, (select coalesce(max(priority), 0) from provider_priority) + row_number() over (order by place)
  from unnest(array['apple', 'garmin', 'polar', 'suunto', 'whoop', 'oura', 'ultrahuman', 'google', 'samsung', 'strava'])
       with ordinality as seeded (provider, place)
 where not exists (select from provider_priority known where known.provider = seeded.provider);
`,
};
