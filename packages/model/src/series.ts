import type { PlausibleRange } from './plausible.js';
import { SERIES_TABLE, type SeriesMark } from './series-table.js';

type Section = (typeof SERIES_TABLE)[number];
type Row = Section[1][number];

/** Code of a series type in requests and responses, such as `heart_rate`. */
export type SeriesCode = Row[1];
/** Unit of a series as clients receive it. */
export type SeriesUnit = Row[2];
/** Group of a series in coverage. */
export type SeriesCategory = Section[0];
/** Rule that combines the samples of one source and day, or of one bucket, into one value. */
export type SeriesRule = 'sum' | 'avg' | 'max' | 'last';

/** One type of measurement over time. */
export interface SeriesType {
  /** Stable number used in storage. */
  id: number;
  code: SeriesCode;
  /** Unit of every stored value of this series. */
  unit: SeriesUnit;
  category: SeriesCategory;
  rule: SeriesRule;
  /** Plausible bounds; other values are rejected. */
  plausible: PlausibleRange;
  /** True if each sample is a separate event (a dose, a drink, a fall). Samples of a day are then never combined. */
  isSingleEvents: boolean;
  /**
   * True if ordinary samples survive archiving. A day has few such samples, and the body summary and recovery read them
   * individually (the last sample, or a night's sample).
   */
  isKept: boolean;
  /** True if amounts can be spread over time and added up, so that overlapping sources can be merged. */
  isMerged: boolean;
  /** True if a night has a value of this series. */
  isNightly: boolean;
}

/** Categories in the fixed order of coverage. */
export const SERIES_CATEGORIES: readonly SeriesCategory[] = SERIES_TABLE.map(([category]) => category);

/** All 93 series types, in the order of validation messages. */
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

/** Codes of {@link SERIES_TYPES}, in the same order. */
export const SERIES_CODES: readonly SeriesCode[] = SERIES_TYPES.map((type) => type.code);

/** Ids of the series that are merged over a provider's sources. */
export const MERGED_TYPE_IDS: readonly number[] = idsWhere(({ isMerged }) => isMerged);

/** Ids of the series that have nightly values. */
export const NIGHTLY_TYPE_IDS: readonly number[] = idsWhere(({ isNightly }) => isNightly);

/**
 * Ids of the series whose old ordinary samples are archived. Excludes series whose samples survive archiving, and
 * series of single events: a late second event in the same minute would count as archived and be lost. Daily totals and
 * values of nights and workouts are never archived.
 */
export const ARCHIVED_TYPE_IDS: readonly number[] = idsWhere(
  ({ isKept, isSingleEvents }) => !isKept && !isSingleEvents,
);

function idsWhere(holds: (type: SeriesType) => boolean): number[] {
  return SERIES_TYPES.filter(holds).map(({ id }) => id);
}

const byId = new Map(SERIES_TYPES.map((type) => [type.id, type]));
const byCode = new Map<string, SeriesType>(SERIES_TYPES.map((type) => [type.code, type]));

/** Returns the series type that is stored under `id`; undefined if no type has it. */
export function seriesTypeById(id: number): SeriesType | undefined {
  return byId.get(id);
}

/** Returns the series type with this code; undefined for a text that is not a code. */
export function seriesTypeByCode(code: SeriesCode): SeriesType;
export function seriesTypeByCode(code: string): SeriesType | undefined;
export function seriesTypeByCode(code: string): SeriesType | undefined {
  return byCode.get(code);
}

/** Returns the distinct stored ids of these series codes. */
export function seriesTypeIds(codes: Iterable<SeriesCode>): number[] {
  return [...new Set(codes)].map((code) => seriesTypeByCode(code).id);
}
