/** Which API key a rotation made in place of another that still works for a while. */
export const keySuccessors = {
  name: '2026-11-26_40_key_successors',
  sql: `
-- No foreign key: a key that was replaced stays so when its successor is revoked.
alter table api_key add column replaced_by uuid;
`,
};
