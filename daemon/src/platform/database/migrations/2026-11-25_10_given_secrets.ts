/** Some vendors prove their webhooks by a secret that they give once, when the address is registered. */
export const givenSecrets = {
  name: '2026-11-25_10_given_secrets',
  sql: `
-- Sealed: the id of the registration at the vendor and its secret.
alter table provider_setting add column given_secret text;
`,
};
