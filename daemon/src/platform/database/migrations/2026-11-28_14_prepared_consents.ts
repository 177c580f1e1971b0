/** Removes the vendor's URL from prepared consents. It is created when a browser starts the consent. */
export const preparedConsents = {
  name: '2026-11-28_14_prepared_consents',
  sql: `
delete from oauth_state where start_secret is not null;
alter table oauth_state drop column start_secret;
`,
};
