import type { PlausibleRange } from './plausible.js';
import { SERIES_TABLE } from './series-table.js';

type Section = (typeof SERIES_TABLE)[number];
type Row = Section[1][number];

/** Code of a series type as it stands in requests and answers, e.g. `heart_rate`. */
export type SeriesCode = Row[1];
/** Unit of a series, spelled as clients receive it. */
export type SeriesUnit = Row[2];
/** Group under which coverage lists a series. */
export type SeriesCategory = Section[0];
/** How the samples of one source and one day, or of one bucket, become one value. */
export type SeriesRule = 'sum' | 'avg' | 'max' | 'last';

/** One kind of measurement over time. */
export interface SeriesType {
  /** Stable number used in storage. */
  id: number;
  code: SeriesCode;
  /** Unit of every stored value of this series. */
  unit: SeriesUnit;
  category: SeriesCategory;
  rule: SeriesRule;
  /** What a value can be; anything else is rejected. */
  plausible: PlausibleRange;
  /** Each sample is an event of its own (a dose, a drink, a fall), so that a day's samples are never put together. */
  isSingleEvents: boolean;
}

/** Categories in the fixed order of the coverage answer. */
export const SERIES_CATEGORIES: readonly SeriesCategory[] = SERIES_TABLE.map(([category]) => category);

/** All 93 series types, in the order in which validation messages list them. */
export const SERIES_TYPES: readonly SeriesType[] = SERIES_TABLE.flatMap(([category, rows]) =>
  rows.map(([id, code, unit, rule, plausible, samples]): SeriesType => {
    return { id, code, unit, category, rule, plausible, isSingleEvents: samples === 'single_events' };
  }),
);

/** The codes of {@link SERIES_TYPES}, in the same order. */
export const SERIES_CODES: readonly SeriesCode[] = SERIES_TYPES.map((type) => type.code);

const byId = new Map(SERIES_TYPES.map((type) => [type.id, type]));
const byCode = new Map<string, SeriesType>(SERIES_TYPES.map((type) => [type.code, type]));

/** The series type that is stored under `id`; undefined when there is none. */
export function seriesTypeById(id: number): SeriesType | undefined {
  return byId.get(id);
}

/** The series type called `code`. A literal code always has one; any other text may have none. */
export function seriesTypeByCode(code: SeriesCode): SeriesType;
export function seriesTypeByCode(code: string): SeriesType | undefined;
export function seriesTypeByCode(code: string): SeriesType | undefined {
  return byCode.get(code);
}
