/** Prepared consents no longer hold the vendor's address: the browser that starts one makes it. */
export const preparedConsents = {
  name: '2026-11-28_14_prepared_consents',
  sql: `
delete from oauth_state where start_secret is not null;
alter table oauth_state drop column start_secret;
`,
};
