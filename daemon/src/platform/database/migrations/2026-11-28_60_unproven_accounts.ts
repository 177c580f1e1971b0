/**
 * Sources that are older than the consent of their connection's account may hold another account's data. A backfill after
 * the consent had been taken as proof that no account was replaced, but a developer can request one for any account.
 */
export const unprovenAccounts = {
  name: '2026-11-28_60_unproven_accounts',
  sql: `
-- A consent of another account sets consented_at anew, so what was stored before may be the first account's. Only
-- accounts that the migration gave are taken back: connections that change later name the account of each source.
with taken as (
  update data_source s set account = null
    from connection c
   where c.user_key = s.user_key and c.provider = s.provider and s.from_cloud and s.account = c.source_account
     and c.consented_at <> c.created_at and s.created_at < c.consented_at
     and c.consented_at <= (select applied_at from schema_migration where name = '2026-11-27_20_vendor_accounts')
     and not exists (select from data_source other
                      where other.user_key = s.user_key and other.provider = s.provider and other.account is null
                        and coalesce(other.device_model, '') = coalesce(s.device_model, '')
                        and coalesce(other.writer, '') = coalesce(s.writer, '')
                        and coalesce(other.device_id, '') = coalesce(s.device_id, ''))
  returning s.user_key, s.provider, c.source_account, s.device_model, s.writer, s.device_id)
update session_tombstone t set account = null
  from taken s
 where s.user_key = t.user_key and s.provider = t.provider and t.account = s.source_account
   and coalesce(s.device_model, '') = coalesce(t.device_model, '') and coalesce(s.writer, '') = coalesce(t.writer, '')
   and coalesce(s.device_id, '') = coalesce(t.device_id, '');
-- A source that came after the consent, under a connection whose consent is younger than its row, is the account's.
update data_source s set account = c.source_account
  from connection c
 where c.user_key = s.user_key and c.provider = s.provider and s.from_cloud and s.account is null
   and c.source_account is not null and c.cursor_account is not distinct from c.provider_user_id
   and s.created_at >= c.consented_at
   and c.consented_at <= (select applied_at from schema_migration where name = '2026-11-27_20_vendor_accounts')
   and not exists (select from data_source other
                    where other.user_key = s.user_key and other.provider = s.provider and other.account = c.source_account
                      and coalesce(other.device_model, '') = coalesce(s.device_model, '')
                      and coalesce(other.writer, '') = coalesce(s.writer, '')
                      and coalesce(other.device_id, '') = coalesce(s.device_id, ''));
`,
};
