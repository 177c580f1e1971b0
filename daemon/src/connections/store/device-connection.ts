/**
 * Returns the end of an SQL statement that stores device data. It creates the connection or keeps the existing
 * connection. After a disconnection, only a device with new credentials connects again. The statement returns
 * `"isRefused"`: true if the connection stays disconnected.
 * @param owners name of a query in the statement whose rows have `user_key` and `provider`
 */
export function connectDeviceSql(owners: string): string {
  return `insert into connection as c (user_key, provider, last_synced_at)
   select user_key, provider, clock_timestamp() from ${owners}
   on conflict (user_key, provider) do update
     set last_synced_at = excluded.last_synced_at, updated_at = excluded.updated_at,
       status = case when c.status_reason = 'push_allowed' then 'active' else c.status end,
       status_reason = case when c.status_reason = 'push_allowed' then null else c.status_reason end
   returning c.status_reason = 'user_disconnected' as "isRefused"`;
}
