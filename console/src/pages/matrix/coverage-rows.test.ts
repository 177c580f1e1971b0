import type { Coverage } from '@healthd/schemas';
import { expect, test } from 'vitest';
import { coverageCsv, coverageGroups, filterGroups } from './coverage-rows.js';

const COVERAGE: Coverage = {
  providers: ['apple', 'google'],
  timeseries: [
    {
      name: 'heart',
      metrics: [
        { code: 'heart_rate', unit: 'bpm', providers: ['apple', 'google'] },
        { code: 'resting_heart_rate', unit: 'bpm', providers: ['google'] },
      ],
    },
  ],
  sleep_fields: [{ code: 'deep_minutes', providers: ['apple'] }],
  workout_fields: [],
  menstrual_cycle_fields: [],
  health_scores: [],
};
const groups = coverageGroups(COVERAGE);
const codes = (search: string, providers: string[] = []) =>
  filterGroups(groups, search, providers).flatMap(({ rows }) => rows.map(({ code }) => code));

test('the coverage is found by words of its name, code, unit and group, and by the providers that must have it', () => {
  expect(groups.map(({ name }) => name)).toEqual(['Heart', 'Sleep']);
  expect(codes('')).toEqual(['heart_rate', 'resting_heart_rate', 'deep_minutes']);
  expect(codes('rate resting')).toEqual(['resting_heart_rate']);
  expect(codes('BPM', ['apple'])).toEqual(['heart_rate']);
  expect(codes('', ['apple', 'google'])).toEqual(['heart_rate']);
  expect(codes('sleep')).toEqual(['deep_minutes']);
  expect(codes('nothing like it')).toEqual([]);
});

test('the coverage as CSV has a column for each provider', () => {
  expect(coverageCsv(groups, COVERAGE.providers)).toEqual([
    ['group', 'metric', 'unit', 'apple', 'google'],
    ['Heart', 'heart_rate', 'bpm', 'yes', 'yes'],
    ['Heart', 'resting_heart_rate', 'bpm', '', 'yes'],
    ['Sleep', 'deep_minutes', null, 'yes', ''],
  ]);
});
