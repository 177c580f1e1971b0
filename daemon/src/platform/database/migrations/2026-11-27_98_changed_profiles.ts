/**
 * Notes which fields of a profile were changed by a call. A later copy from another service leaves these fields alone and
 * updates the others.
 */
export const changedProfiles = {
  name: '2026-11-27_98_changed_profiles',
  sql: `
-- Names of columns. Null: unknown, for users who were stored before this migration.
alter table health_user add column changed_here text[];
alter table health_user alter column changed_here set default '{}';
`,
};
