import { describe, expect, it } from 'vitest';
import { SERIES_TYPES, seriesTypeByCode } from './series.js';
import { convert, converter, fractionToPercent } from './units.js';

describe('a unit converter', () => {
  it.each([
    ['km', 'meters', 1000],
    ['m', 'meters', 1],
    ['cm', 'meters', 0.01],
    ['mm', 'meters', 0.001],
    ['mi', 'meters', 1609.344],
    ['ft', 'meters', 0.3048],
    ['in', 'meters', 0.0254],
    ['yd', 'meters', 0.9144],
    ['km', 'cm', 100_000],
    ['m', 'cm', 100],
    ['cm', 'cm', 1],
    ['mm', 'cm', 0.1],
    ['mi', 'cm', 160_934.4],
    ['ft', 'cm', 30.48],
    ['in', 'cm', 2.54],
    ['yd', 'cm', 91.44],
    ['kg', 'kg', 1],
    ['g', 'kg', 1e-3],
    ['mg', 'kg', 1e-6],
    ['mcg', 'kg', 1e-9],
    ['lb', 'kg', 0.45359237],
    ['oz', 'kg', 0.028349523125],
    ['st', 'kg', 6.35029318],
    ['kcal', 'kcal', 1],
    ['Cal', 'kcal', 1],
    ['cal', 'kcal', 0.001],
    ['kJ', 'kcal', 1 / 4.184],
    ['J', 'kcal', 1 / 4184],
    ['m/s', 'm_per_s', 1],
    ['km/hr', 'm_per_s', 1 / 3.6],
    ['mi/hr', 'm_per_s', 0.44704],
    ['ft/s', 'm_per_s', 0.3048],
    ['ft/min', 'm_per_s', 0.00508],
    ['m/min', 'm_per_s', 1 / 60],
    ['mmHg', 'mmHg', 1],
    ['kPa', 'mmHg', 7.50061683],
    ['Pa', 'mmHg', 0.00750061683],
    ['cmAq', 'mmHg', 0.73555912],
    ['inHg', 'mmHg', 25.4],
    ['atm', 'mmHg', 760],
    ['mL', 'mL', 1],
    ['L', 'mL', 1000],
    ['dL', 'mL', 100],
    ['fl_oz_us', 'mL', 29.5735296],
    ['fl_oz_imp', 'mL', 28.4130625],
    ['cup_us', 'mL', 236.588236],
    ['cup_imp', 'mL', 284.130625],
    ['pt_us', 'mL', 473.176473],
    ['pt_imp', 'mL', 568.26125],
    ['L', 'liters', 1],
    ['mL', 'liters', 0.001],
    ['min', 'minutes', 1],
    ['s', 'minutes', 1 / 60],
    ['ms', 'minutes', 1 / 60_000],
    ['hr', 'minutes', 60],
    ['d', 'minutes', 1440],
    ['ms', 'ms', 1],
    ['s', 'ms', 1000],
    ['min', 'seconds', 60],
    ['count/min', 'bpm', 1],
    ['count/s', 'bpm', 60],
    ['count/hr', 'bpm', 1 / 60],
    ['BPM', 'bpm', 1],
    ['count/min', 'brpm', 1],
    ['count/min', 'rpm', 1],
    ['spm', 'rpm', 1],
    ['mg/dL', 'mg_dl', 1],
    ['mmol/L', 'mg_dl', 18.015588],
    ['mmol<180.1558800000541>/L', 'mg_dl', 18.01558800000541],
    ['kcal/hr·kg', 'met', 1],
    ['kcal/(kg*hr)', 'met', 1],
    ['kcal/kg/hr', 'met', 1],
    ['kcal/hr·kg', 'score', 1],
    ['mL/min·kg', 'ml_kg_min', 1],
    ['mL/(kg*min)', 'ml_kg_min', 1],
    ['ml/(kg*min)', 'ml_kg_min', 1],
    ['ml/kg*min', 'ml_kg_min', 1],
    ['mL/kg/min', 'ml_kg_min', 1],
    ['dBASPL', 'dB', 1],
    ['dBHL', 'dB', 1],
    ['mcS', 'count', 1],
    ['uS', 'count', 1],
    ['S', 'count', 1e6],
    ['IU', 'count', 1],
    ['count', 'count', 1],
    ['count', 'kg_m2', 1],
    ['W', 'watts', 1],
    ['L/min', 'L/min', 1],
    ['appleEffortScore', 'score', 1],
  ])('converts a value in %s to %s by the factor %d', (declared, unit, factor) => {
    for (const value of [0, 1, -2.5, 160, 12_345.678]) {
      const converted = convert(value, declared, unit);
      const expected = value * factor;
      expect(Math.abs(converted! - expected)).toBeLessThanOrEqual(Math.abs(expected) * 1e-14);
    }
  });

  it.each([
    [36.6, 'degC', 36.6],
    [98.6, 'degF', 37],
    [32, 'degF', 0],
    [310.15, 'K', 37],
    [-40, 'degF', -40],
  ])('%d %s is %d degrees Celsius', (value, declared, celsius) => {
    expect(convert(value, declared, 'celsius')).toBeCloseTo(celsius, 10);
  });

  it.each([
    [37, 'degC', 'degF', 98.6],
    [37, 'celsius', 'K', 310.15],
    [98.6, 'degF', 'K', 310.15],
  ])('%d %s in %s is %d', (value, declared, unit, expected) => {
    expect(convert(value, declared, unit)).toBeCloseTo(expected, 10);
  });
});

describe('a walk of 1.5 km', () => {
  it('is converted to 1500 m, not 1.5 m', () => {
    expect(convert(1.5, 'km', seriesTypeByCode('distance_walking_running').unit)).toBe(1500);
  });
});

describe('a body mass of 160 lb', () => {
  it('is converted to 72.575 kg', () => {
    expect(convert(160, 'lb', seriesTypeByCode('weight').unit)).toBeCloseTo(72.575, 3);
  });
});

describe('a glucose reading of 5.5 mmol/L', () => {
  it.each(['mmol<180.1558800000541>/L', 'mmol/L'])(
    'is converted to 99.086 mg/dL if its unit is written as %s',
    (unit) => {
      expect(convert(5.5, unit, seriesTypeByCode('blood_glucose').unit)).toBeCloseTo(99.086, 3);
    },
  );
});

describe('an exact conversion', () => {
  it.each([
    [98.6, 'degF', 'celsius', 37],
    [100.4, 'degF', 'celsius', 38],
    [309.75, 'K', 'celsius', 36.6],
    [310.15, 'K', 'celsius', 37],
    [160, 'lb', 'kg', 72.5747792],
    [418.4, 'kJ', 'kcal', 100],
    [0.07, 'km', 'meters', 70],
    [1.1, 'm', 'cm', 110],
    [18, 'km/hr', 'm_per_s', 5],
  ])('%d %s in %s is exactly %d', (value, declared, unit, expected) => {
    expect(convert(value, declared, unit)).toBe(expected);
  });
});

describe('a percentage', () => {
  it('is not converted by its unit', () => {
    expect(converter('%', 'percent')).toBeUndefined();
  });

  it.each([
    [0.97, 97],
    [0.07, 7],
    [0.187, 18.7],
    [0.29, 29],
    [1, 100],
    [0, 0],
  ])('of the fraction %d is exactly %d percent', (fraction, percent) => {
    expect(fractionToPercent(fraction)).toBe(percent);
  });
});

describe('a unit that cannot be converted', () => {
  it.each([
    ['furlong', 'meters'],
    ['', 'count'],
    ['KM', 'meters'],
    ['kcal', 'meters'],
    ['kg', 'count'],
    ['count', 'score'],
    ['min', 'bpm'],
    ['IU', 'mL'],
    ['mmol<>/L', 'mg_dl'],
    ['mmol<386.65>/L', 'mg_dl'],
    ['mmol<180.1.5>/L', 'mg_dl'],
    ['mmol<180>/L', 'kg'],
    ['km', 'furlong'],
    ['constructor', 'constructor'],
  ])('has no converter from %s to %s', (declared, unit) => {
    expect(converter(declared, unit)).toBeUndefined();
    expect(convert(1, declared, unit)).toBeUndefined();
  });
});

it('converts every series unit to itself without changing the value', () => {
  for (const { unit, code } of SERIES_TYPES) expect(convert(1.25, unit, unit), code).toBe(1.25);
});

it('returns a value in the target unit unchanged', () => {
  expect(convert(0.1 + 0.2, 'm', 'meters')).toBe(0.1 + 0.2);
});
