import { type Extremes, NO_OFFSET } from '@healthd/model';
import { type BatchColumn, BatchColumns, ONE_LOOK_EACH } from '../../../platform/database/index.js';
import { type SampleKey, type SampleRows, sampleKeyOf } from './sample-rows.js';

/** A source's value at an instant, with an unknown slot. */
interface SampleValue extends Omit<SampleKey, 'slot'> {
  value: number;
}

interface SampleRow extends SampleKey, SampleValue {
  durationMs: number | undefined;
  offsetMinutes: number | undefined;
}

const START_COLUMNS: BatchColumn<Omit<SampleKey, 'slot'>>[] = [
  { name: 'type_id', type: 'smallint', value: ({ typeId }) => typeId },
  { name: 'start_at', type: 'float8', sql: 'to_timestamp(start_at / 1000)', value: ({ startMs }) => startMs },
  { name: 'source_id', type: 'int', value: ({ sourceId }) => sourceId },
];

const KEY_COLUMNS: BatchColumn<SampleKey>[] = [
  ...START_COLUMNS,
  { name: 'slot', type: 'int', value: ({ slot }) => slot },
];

const VALUE_COLUMN: BatchColumn<Pick<SampleValue, 'value'>> = {
  name: 'value',
  type: 'float8',
  value: ({ value }) => value,
};

/** Columns of `sample` that identify a value's series, source and start. */
export const SAMPLE_START = new BatchColumns(START_COLUMNS);

/** Columns of `sample` that find a value with an unknown slot. */
export const SAMPLE_VALUE = new BatchColumns<SampleValue>([...START_COLUMNS, VALUE_COLUMN]);

/** Columns of `sample_extremes`. */
export const SAMPLE_EXTREMES = new BatchColumns<SampleKey & Extremes>([
  ...KEY_COLUMNS,
  { name: 'minimum', type: 'float8', value: ({ minimum }) => minimum },
  { name: 'maximum', type: 'float8', value: ({ maximum }) => maximum },
]);

/** Key columns of `sample`. Their names are {@link SAMPLE_KEY_NAMES}. */
export const SAMPLE_KEY = new BatchColumns(KEY_COLUMNS);

export const SAMPLE_KEY_NAMES = KEY_COLUMNS.map(({ name }) => name);

/**
 * Returns a condition that selects the samples `s` with these keys. Searches the index once per key: a join may read
 * all samples of the user instead. The first parameter of the statement is the user. The user's row must be locked.
 * @param first number of the first parameter with keys
 * @param condition further condition on a sample `s`
 */
export function hasOneOfKeys(first: number, condition = 'true'): string {
  return `s.ctid = any (array(
    select found.place from ${SAMPLE_KEY.unnested(first)}
     cross join lateral (select s.ctid as place from sample s
                          where s.user_key = $1 and ${SAMPLE_KEY.matched('s')} and ${condition} ${ONE_LOOK_EACH}) found))`;
}

/** Columns of `sample` for statements on many rows. COPY uses typed arrays instead. */
export const SAMPLE_COLUMNS = new BatchColumns<SampleRow>([
  ...KEY_COLUMNS,
  VALUE_COLUMN,
  { name: 'duration_ms', type: 'int', value: ({ durationMs }) => durationMs },
  { name: 'offset_minutes', type: 'smallint', value: ({ offsetMinutes }) => offsetMinutes },
]);

/** Returns a row in the form of {@link SAMPLE_COLUMNS}. */
export function sampleRow(rows: SampleRows, row: number): SampleRow {
  const durationMs = rows.durationMs[row] as number;
  const offsetMinutes = rows.offsetMinutes[row] as number;
  return {
    ...sampleKeyOf(rows, row),
    value: rows.value[row] as number,
    durationMs: Number.isNaN(durationMs) ? undefined : durationMs,
    offsetMinutes: offsetMinutes === NO_OFFSET ? undefined : offsetMinutes,
  };
}
