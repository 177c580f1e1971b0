import type { SourceRow } from '../sources.js';

/** One value of a day and type with the source that it comes from. */
export interface DayValueRow extends SourceRow {
  local_date: string;
  type_id: number;
  sample_sum: number | null;
  sample_min: number | null;
  sample_max: number | null;
  sample_count: number;
  total_sum: number | null;
  total_count: number;
  covered_minutes: number;
}
