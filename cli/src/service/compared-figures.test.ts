import { expect, it } from 'vitest';
import { comparedFigures } from './compared-figures.js';

const WATCH = {
  provider: 'apple',
  source: 'Health',
  device: 'Watch6,2',
  device_type: 'watch',
  device_name: null,
} as const;
const GARMIN = { ...WATCH, provider: 'garmin', device: 'fenix' } as const;
const ROW = { date: '2026-03-10', steps: 7200, floors_climbed: 3, heart_rate: { avg_bpm: 61, max_bpm: 140 } };

const compared = (before: object, after: object) =>
  comparedFigures({
    date: ROW.date,
    before: { ...ROW, ...before, source: WATCH },
    after: { ...ROW, ...after, source: GARMIN },
  });

it('lists only the figures of a day that differ', () => {
  const sources = { date: ROW.date, source_before: 'apple Watch6,2', source_after: 'garmin fenix' };
  expect(compared({}, { floors_climbed: null, heart_rate: { avg_bpm: 64, max_bpm: 140 } })).toEqual([
    { ...sources, figure: 'floors_climbed', before: 3, after: null },
    { ...sources, figure: 'heart_rate.avg_bpm', before: 61, after: 64 },
  ]);
});

it('lists a figure that only one side has', () => {
  expect(compared({ heart_rate: null }, {}).map(({ figure, before, after }) => [figure, before, after])).toEqual([
    ['heart_rate.avg_bpm', null, 61],
    ['heart_rate.max_bpm', null, 140],
  ]);
});

it('lists only the source if all figures are equal', () => {
  expect(compared({}, {})).toMatchObject([{ figure: 'source', before: null, after: null }]);
});

it("does not list a group's source as a figure", () => {
  expect(compared({ sources: { movement: WATCH } }, { sources: { movement: GARMIN } })).toMatchObject([
    { figure: 'source' },
  ]);
});

it('lists the figures of a night that moves to another date', () => {
  const night = { date: ROW.date, duration_minutes: 460, source: WATCH };
  expect(comparedFigures({ date: ROW.date, before: night, after: null })).toEqual([
    {
      date: ROW.date,
      figure: 'duration_minutes',
      before: 460,
      after: null,
      source_before: 'apple Watch6,2',
      source_after: '',
    },
  ]);
});
