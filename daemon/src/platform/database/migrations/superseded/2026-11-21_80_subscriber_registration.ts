/**
 * What the vendor's subscriber was last registered with, or could not be, so that a start with other settings registers it
 * anew. The webhook secret is in it as a keyed digest. Null: nothing was, or nobody knows.
 */
export const subscriberRegistration = {
  name: '2026-11-21_80_subscriber_registration',
  sql: 'alter table provider_setting add column subscriber_registration jsonb;',
};
