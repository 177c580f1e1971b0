import { expect, test } from 'vitest';
import { changesOf, changeTable } from './change-report.js';

const nothing = { new: 0, changed: 0, gone: 0 };

test('sorts the changes of an import by series and month', () => {
  const changes = changesOf({
    metadata: {
      report: {
        changes: { steps: { '2026-02': { gone: 3 } }, energy: { '2026-10': { new: 1 }, '2026-09': { changed: 2 } } },
      },
    },
  });
  expect(changeTable(changes ?? {}, {}).split('\n')).toEqual([
    'Series  Month    New  Changed  Removed',
    'energy  2026-09    0        2        0',
    'energy  2026-10    1        0        0',
    'steps   2026-02    0        0        3',
    '',
  ]);
});

test('combines months that have only new data in a long table', () => {
  const months = Array.from(
    { length: 60 },
    (_, at) => `${2020 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`,
  );
  const heartRate = Object.fromEntries(months.map((month) => [month, { ...nothing, new: 100 }]));
  const table = changeTable({ heart_rate: { ...heartRate, '2022-03': { ...nothing, new: 5, gone: 1 } } }, {});
  expect(table.split('\n')).toEqual([
    'Series      Month                 New  Changed  Removed',
    'heart rate  2020-01 to 2022-02  2,600        0        0',
    'heart rate  2022-03                 5        0        1',
    'heart rate  2022-04 to 2024-12  3,300        0        0',
    '57 rows with only new data are combined; --json lists every month.',
    '',
  ]);
});

test('shows no table without changes', () => {
  expect(changesOf({ metadata: { report: {} } })).toBeUndefined();
  expect(changesOf({ metadata: {} })).toBeUndefined();
  expect(changeTable({}, {})).toBe('');
});
