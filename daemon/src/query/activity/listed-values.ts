import type { SourceRow } from '../sources.js';
import type { DayValueRow } from './day-value-row.js';
import type { NumberColumn, StoredDayValues } from './day-values.sql.js';
import { numberList } from './number-list.js';

/** The rows of what the statement gives as one text for each column. */
export function listedValues(stored: StoredDayValues, sources: ReadonlyMap<number, SourceRow>): DayValueRow[] {
  const listed = (column: NumberColumn) => numberList(stored[column] ?? '');
  /** Of a column without nulls. */
  const known = (column: NumberColumn) => listed(column) as number[];
  const [typeIds, sourceIds, coveredMinutes] = [known('type_id'), known('source_id'), known('covered_minutes')];
  const [sampleCounts, totalCounts] = [known('sample_count'), known('total_count')];
  const [sampleSums, totalSums] = [listed('sample_sum'), listed('total_sum')];
  const [sampleMins, sampleMaxs] = [listed('sample_min'), listed('sample_max')];
  const values: DayValueRow[] = [];
  for (const [at, localDate] of (stored.local_date?.split(',') ?? []).entries()) {
    const source = sources.get(sourceIds[at] as number);
    if (!source) continue;
    // Member by member: a year has thousands of values, and spreading a source into each costs as much as the rest.
    values.push({
      local_date: localDate,
      type_id: typeIds[at] as number,
      source_id: source.source_id,
      provider: source.provider,
      account: source.account,
      from_cloud: source.from_cloud,
      device_model: source.device_model,
      writer: source.writer,
      own_writer: source.own_writer,
      device_id: source.device_id,
      device_type: source.device_type,
      sample_sum: sampleSums[at] ?? null,
      sample_min: sampleMins[at] ?? null,
      sample_max: sampleMaxs[at] ?? null,
      sample_count: sampleCounts[at] as number,
      total_sum: totalSums[at] ?? null,
      total_count: totalCounts[at] as number,
      covered_minutes: coveredMinutes[at] as number,
    });
  }
  return values;
}
