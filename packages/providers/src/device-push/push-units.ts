import { converter, fractionToPercent, type SeriesType } from '@healthd/model';

/** Spellings of phone libraries that the unit table lacks, in lower case. */
const SPELLINGS: Readonly<Record<string, string>> = {
  'breaths/min': 'count/min',
  'beats/min': 'count/min',
  '/min': 'count/min',
  counts: 'count',
  steps: 'count',
  floors: 'count',
  'kg/m2': 'kg_m2',
  'kg/m^2': 'kg_m2',
  'kg/m²': 'kg_m2',
  '°c': 'degC',
  c: 'degC',
  '°f': 'degF',
  f: 'degF',
  meter: 'm',
  metre: 'm',
  metres: 'm',
  kilometers: 'km',
  miles: 'mi',
  second: 's',
  sec: 's',
  minute: 'min',
  hour: 'hr',
  h: 'hr',
  liter: 'L',
  litre: 'L',
  l: 'L',
  ml: 'mL',
  'mg/dl': 'mg/dL',
  'mmol/l': 'mmol/L',
  mmhg: 'mmHg',
  watt: 'W',
  pounds: 'lb',
  lbs: 'lb',
  kilograms: 'kg',
  mets: 'met',
  db: 'dB',
  percent: '%',
  '%': '%',
};

/** Meaning of a percent sign: `percent` 0..100, `fraction` 0..1, `either` for series that are always above 1 %. */
export type PercentMeaning = 'percent' | 'fraction' | 'either';

/**
 * Returns a function that converts a declared unit to the unit of a series; undefined if the unit does not fit.
 * Compares case-sensitively first, then with the spellings of phone libraries.
 */
export function pushConverter(
  series: SeriesType,
  unit: string,
  percent: PercentMeaning,
): ((value: number) => number) | undefined {
  const known = converter(unit, series.unit);
  if (known && unit !== 'percent') return known;
  const lower = unit.toLowerCase();
  const spelling = Object.hasOwn(SPELLINGS, lower) ? (SPELLINGS[lower] as string) : unit;
  if (spelling !== '%') return converter(spelling, series.unit);
  if (!PERCENT_UNITS.has(series.unit)) return undefined;
  if (percent === 'fraction') return fractionToPercent;
  return percent === 'percent' ? (value) => value : (value) => (value <= 1 ? fractionToPercent(value) : value);
}

// The series unit is `score` for the perfusion index and `count` for the fibrillation burden, but both series contain
// percent values.
const PERCENT_UNITS: ReadonlySet<string> = new Set(['percent', 'score', 'count']);
