/**
 * Least and greatest of the readings that a vendor's mean stands for. A table of its own, because a column more would
 * lengthen every row of `sample` and almost none has them. Key as of the sample; counts only while that is there.
 */
export const sampleExtremes = {
  name: '2026-11-23_05_sample_extremes',
  sql: `
create table sample_extremes (
  user_key bigint not null,
  start_at timestamptz not null,
  minimum double precision not null,
  maximum double precision not null,
  source_id integer not null,
  slot integer not null,
  type_id smallint not null,
  primary key (user_key, type_id, start_at, source_id, slot)
);
`,
};
