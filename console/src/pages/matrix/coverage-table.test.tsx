import type { Coverage } from '@healthd/schemas';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type CoverageTable, coverageCsv, useCoverageTable } from './coverage-table.js';

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

interface PageProps {
  search: string;
  wanted: readonly string[];
  onTable: (table: CoverageTable) => void;
}

function Page({ search, wanted: providers, onTable }: PageProps) {
  onTable(useCoverageTable(COVERAGE, search, providers));
  return null;
}

function tableOf(search = '', providers: string[] = []): CoverageTable {
  let table: CoverageTable | undefined;
  const onTable = (rendered: CoverageTable) => {
    table = rendered;
  };
  renderToStaticMarkup(<Page search={search} wanted={providers} onTable={onTable} />);
  if (!table) throw new Error('nothing was rendered');
  return table;
}

function codes(search: string, providers: string[] = []): string[] {
  const groups = tableOf(search, providers).getGroupedRowModel().rows;
  return groups.flatMap(({ subRows }) => subRows.map(({ original }) => original.code));
}

test('searches by name, code, unit, group and provider', () => {
  const groups = tableOf().getGroupedRowModel().rows;
  expect(groups.map(({ groupingValue }) => groupingValue)).toEqual(['Heart', 'Sleep']);
  expect(codes('')).toEqual(['heart_rate', 'resting_heart_rate', 'deep_minutes']);
  expect(codes('rate resting')).toEqual(['resting_heart_rate']);
  expect(codes('BPM ', ['apple'])).toEqual(['heart_rate']);
  expect(codes('', ['apple', 'google'])).toEqual(['heart_rate']);
  expect(codes('sleep')).toEqual(['deep_minutes']);
  expect(codes('nothing like it')).toEqual([]);
});

test('ignores unknown providers', () => {
  expect(codes('', ['unknown'])).toEqual(['heart_rate', 'resting_heart_rate', 'deep_minutes']);
});

test('exports matching rows with a column per provider', () => {
  expect(coverageCsv(tableOf())).toEqual([
    ['group', 'metric', 'unit', 'apple', 'google'],
    ['Heart', 'heart_rate', 'bpm', 'yes', 'yes'],
    ['Heart', 'resting_heart_rate', 'bpm', '', 'yes'],
    ['Sleep', 'deep_minutes', null, 'yes', ''],
  ]);
  expect(coverageCsv(tableOf('sleep'))).toHaveLength(2);
});
