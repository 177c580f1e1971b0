import { SERIES_TYPES } from '@healthd/model';
import { expect, it } from 'vitest';
import { unitName } from './units.js';

it('shows a display name for every series unit', () => {
  const shown = [...new Set(SERIES_TYPES.map(({ unit }) => unitName(unit)))];
  expect(shown.filter((unit) => /_|celsius|liters|meters|percent|watts/.test(unit))).toEqual([]);
  expect([unitName('kg_m2'), unitName('bpm')]).toEqual(['kg/m²', 'bpm']);
});
