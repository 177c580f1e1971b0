import type pg from 'pg';
import { statement } from '../../platform/database/index.js';
import type { RunRange } from './run-ranges.js';
import { COUNTED, type WindowCounts } from './window-counts.js';

const advance = statement(
  'runs-advance-range',
  `insert into pull_progress as p (run_id, data_type, from_at, to_at, done_from_at, outcome, windows,
                                   rejected_by_reason, done_item, ${COUNTED.join(', ')})
   values ($1, $2, to_timestamp($3::float8 / 1000), to_timestamp($4::float8 / 1000), to_timestamp($5::float8 / 1000),
           case when $5::float8 <= $3 then 'success' end, 1, $6, $7, ${COUNTED.map((_, at) => `$${at + 8}`).join(', ')})
   on conflict (run_id, data_type, from_at) do update
      set done_from_at = excluded.done_from_at, done_item = excluded.done_item, outcome = excluded.outcome, error = null,
          windows = p.windows + 1,
          rejected_by_reason = case when excluded.rejected_by_reason = '{}' then p.rejected_by_reason else (
            select jsonb_object_agg(reason, items)
              from (select reason, sum(items::bigint) as items
                      from (select * from jsonb_each_text(p.rejected_by_reason)
                            union all select * from jsonb_each_text(excluded.rejected_by_reason)) as both_of (reason, items)
                     group by reason) as summed
          ) end,
          ${COUNTED.map((name) => `${name} = p.${name} + excluded.${name}`).join(', ')}`,
);

/** Records that all data of a range from a time on is stored, in the transaction that stores it. */
export async function advanceRange(
  client: pg.ClientBase,
  runId: string,
  { dataType, fromMs, toMs }: Pick<RunRange, 'dataType' | 'fromMs' | 'toMs'>,
  { doneFromMs, doneItem }: Pick<RunRange, 'doneFromMs' | 'doneItem'>,
  counts: WindowCounts,
): Promise<void> {
  await client.query(
    advance([
      runId,
      dataType,
      fromMs,
      toMs,
      doneFromMs,
      counts.rejectedByReason,
      doneItem ?? null,
      ...COUNTED.map((name) => counts[name]),
    ]),
  );
}
