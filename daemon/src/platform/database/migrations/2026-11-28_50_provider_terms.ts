/**
 * Stores how the operator deviates from vendors' terms and answers their questions, and what an audited change was about,
 * such as the reason of an override.
 */
export const providerTerms = {
  name: '2026-11-28_50_provider_terms',
  sql: `
-- overrides: term -> value, reason, who and when. answers: term -> accepted or declined, for which value, who and when.
alter table provider_setting add column terms jsonb not null default '{"overrides": {}, "answers": {}}';
alter table audit_event add column detail text;
`,
};
