import type { PlausibleRange } from './plausible.js';
import { SERIES_TABLE, type SeriesMark } from './series-table.js';

type Section = (typeof SERIES_TABLE)[number];
type Row = Section[1][number];

/** Code of a series type as it is in requests and answers, e.g. `heart_rate`. */
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
  /**
   * Its ordinary samples stay when old ones are archived: a day has few of them, and the body summary and recovery answer
   * from single readings (which one was last, which belongs to which night).
   */
  isKept: boolean;
  /** Its amounts can be spread over time and added up, so that sources that overlap can be merged. */
  isMerged: boolean;
  /** A night has a value of it. */
  isNightly: boolean;
}

/** Categories in the fixed order of the coverage answer. */
export const SERIES_CATEGORIES: readonly SeriesCategory[] = SERIES_TABLE.map(([category]) => category);

/** All 93 series types, in the order in which validation messages list them. */
export const SERIES_TYPES: readonly SeriesType[] = SERIES_TABLE.flatMap(([category, rows]) =>
  rows.map(([id, code, unit, rule, plausible, ...marks]): SeriesType => {
    const has = (mark: SeriesMark) => (marks as readonly SeriesMark[]).includes(mark);
    return {
      id,
      code,
      unit,
      category,
      rule,
      plausible,
      isSingleEvents: has('single_events'),
      isKept: has('kept'),
      isMerged: has('merged'),
      isNightly: has('nightly'),
    };
  }),
);

/** The codes of {@link SERIES_TYPES}, in the same order. */
export const SERIES_CODES: readonly SeriesCode[] = SERIES_TYPES.map((type) => type.code);

/** Numbers of the series that are merged over the sources of a provider. */
export const MERGED_TYPE_IDS: readonly number[] = idsWhere(({ isMerged }) => isMerged);

/** Numbers of the series of which a night has a value. */
export const NIGHTLY_TYPE_IDS: readonly number[] = idsWhere(({ isNightly }) => isNightly);

/**
 * Numbers of the series whose ordinary samples are archived when they are old: neither those that are kept nor single
 * events, of which a late second one would pass for an archived one and be lost. Totals of days and values of nights and
 * workouts are never archived.
 */
export const ARCHIVED_TYPE_IDS: readonly number[] = idsWhere(
  ({ isKept, isSingleEvents }) => !isKept && !isSingleEvents,
);

function idsWhere(holds: (type: SeriesType) => boolean): number[] {
  return SERIES_TYPES.filter(holds).map(({ id }) => id);
}

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

/** Ids under which the series of these codes are stored, each once. */
export function seriesTypeIds(codes: Iterable<SeriesCode>): number[] {
  return [...new Set(codes)].map((code) => seriesTypeByCode(code).id);
}
