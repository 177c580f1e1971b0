/** Keys that were taken over from another service, also those that were revoked since: these do not come a second time. */
export const adoptedKeys = {
  name: '2026-11-23_60_adopted_keys',
  sql: 'create table adopted_api_key (key_hash bytea primary key);',
};
