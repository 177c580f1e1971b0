/**
 * The vendor account becomes part of a source's identity, because two accounts of one vendor must not replace each other's
 * data. Clouds named no account before: their sources are known by the writers that adapters give them.
 */
export const vendorAccounts = {
  name: '2026-11-27_20_vendor_accounts',
  sql: `
alter table data_source
  -- The vendor's id of the account, or the mark of a consent while that id is unknown. Null: pushes, files, and clouds'
  -- sources that may hold the data of several accounts.
  add column account text,
  -- Given by a vendor's cloud.
  add column from_cloud boolean not null default false;
alter table session_tombstone add column account text;
-- The account that sources of the present consent are given.
alter table connection add column source_account text;

update data_source set from_cloud = true
 where split_part(writer, '/', 1) = case provider
         when 'garmin' then 'garmin_api' when 'google' then 'google_health_api' when 'oura' then 'oura_api'
         when 'polar' then 'polar_api' when 'strava' then 'strava_api' when 'suunto' then 'suunto_api'
         when 'ultrahuman' then 'ultrahuman_api' when 'whoop' then 'whoop_api' end;

update connection set source_account = coalesce(provider_user_id, 'consent:' || gen_random_uuid())
 where consented_at is not null;

-- A replaced account set consented_at anew. Where the consent is as old as the connection, or its backfill came after it,
-- no account was replaced. Garmin's backfills are requested again for a new account, so they prove nothing.
update data_source s set account = c.source_account
  from connection c
 where c.user_key = s.user_key and c.provider = s.provider and s.from_cloud
   and c.cursor_account is not distinct from c.provider_user_id
   and (c.consented_at = c.created_at or (c.backfill_started_at >= c.consented_at and c.provider <> 'garmin'));
update session_tombstone t set account = s.account
  from data_source s
 where s.user_key = t.user_key and s.provider = t.provider and s.account is not null
   and coalesce(s.device_model, '') = coalesce(t.device_model, '') and coalesce(s.writer, '') = coalesce(t.writer, '')
   and coalesce(s.device_id, '') = coalesce(t.device_id, '');

drop index data_source_identity;
create unique index data_source_identity on data_source
  (user_key, provider, coalesce(account, ''), coalesce(device_model, ''), coalesce(writer, ''), coalesce(device_id, ''));
`,
};
