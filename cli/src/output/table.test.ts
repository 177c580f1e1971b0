import { expect, test } from 'vitest';
import { at, Instant } from './instant.js';
import { renderPairs, renderTable } from './table.js';
import { plainText, textWidth, truncate } from './text-width.js';

interface Row {
  id: string;
  name: string | null;
  steps: number | null;
}

const COLUMNS = [
  { header: 'ID', cell: (row: Row) => row.id, shrinkTo: 6 },
  { header: 'Name', cell: (row: Row) => row.name, shrinkTo: 4 },
  { header: 'Steps', cell: (row: Row) => row.steps, align: 'right' as const },
];

test('aligns text left and numbers right in each column', () => {
  const rows = [
    { id: 'a', name: 'Anna', steps: 12 },
    { id: 'bcd', name: 'Bo', steps: 10_500 },
  ];
  expect(renderTable(COLUMNS, rows)).toBe('ID   Name  Steps\na    Anna     12\nbcd  Bo    10500\n');
});

test('aligns columns with wide characters, accents and emoji', () => {
  const rows = [
    { id: '1', name: '山田太郎', steps: 1 },
    { id: '2', name: 'Zoe\u0301', steps: 2 },
    { id: '3', name: '🏃‍♀️', steps: 3 },
  ];
  const lines = renderTable(COLUMNS, rows).trimEnd().split('\n');
  expect(new Set(lines.map((line) => textWidth(line))).size).toBe(1);
});

test('shows an unknown value as a dash, never as zero', () => {
  expect(renderTable(COLUMNS, [{ id: '1', name: null, steps: null }])).toContain('1   –         –');
});

test('truncates cells only if the terminal is too narrow', () => {
  const rows = [{ id: '669fc48f-a121-4b48-9ef0-c1fc0594e18e', name: 'Anna', steps: 1 }];
  expect(renderTable(COLUMNS, rows)).toContain('669fc48f-a121-4b48-9ef0-c1fc0594e18e');
  const narrow = renderTable(COLUMNS, rows, { width: 30 });
  expect(narrow).toContain('669fc48f-a121');
  expect(narrow).toContain('…');
  expect(
    Math.max(
      ...narrow
        .trimEnd()
        .split('\n')
        .map((line) => textWidth(line)),
    ),
  ).toBe(30);
});

test('drops the last columns instead of truncating an id', () => {
  const id = '669fc48f-a121-4b48-9ef0-c1fc0594e18e';
  const [, name, steps] = COLUMNS;
  const columns = [
    { header: 'Name', cell: name?.cell ?? (() => null) },
    { header: 'ID', cell: () => id, keep: true as const },
    ...(steps ? [steps] : []),
  ];
  const rows = [{ id, name: 'Anna', steps: 123_456 }];
  expect(renderTable(columns, rows, { width: 50 })).toBe(
    `Name  ID                                     Steps\nAnna  ${id}  123456\n`,
  );
  expect(renderTable(columns, rows, { width: 49 })).toBe(`Name  ID\nAnna  ${id}\n`);
  expect(renderTable(columns, rows, { width: 10 })).toContain(id);
});

test('shows an instant in local time or UTC', () => {
  const moment = new Instant('2026-07-01T12:00:00Z');
  expect(moment.text(true)).toBe('2026-07-01 12:00 UTC');
  expect(moment.text()).toMatch(/^2026-0[67]-\d\d \d\d:\d\d (UTC|[+-]\d\d:\d\d)$/);
  const column = { header: 'At', cell: () => at('2026-07-01T12:00:00Z') };
  expect(renderTable([column], [{}], { utc: true })).toBe('At\n2026-07-01 12:00 UTC\n');
  expect(renderPairs([['At', at(null)]])).toBe('At  –\n');
});

test('drops columns that cannot shrink instead of truncating them', () => {
  const rows = [{ id: '669fc48f', name: 'Anna', steps: 123_456 }];
  const [id, name, steps] = COLUMNS;
  expect(renderTable(COLUMNS, rows, { width: 20 })).toContain('123456');
  expect(id && name && steps && renderTable([id, name, steps], rows, { width: 12 })).not.toMatch(/1|…$/);
});

test('strips control characters from names', () => {
  const table = renderTable(COLUMNS, [{ id: '1', name: '\u001b[31mred\nline\u202Egnp', steps: 1 }]);
  expect(table).not.toContain('\u001b');
  expect(table).not.toContain('\u202E');
  expect(table.trimEnd().split('\n')).toHaveLength(2);
  expect(plainText('a\tb')).toBe('a b');
});

test('never splits a character of several code points', () => {
  expect(truncate('ab🏃‍♀️cd', 4)).toBe('ab…');
  expect(truncate('ab🏃‍♀️cd', 5)).toBe('ab🏃‍♀️…');
});

test('shows one object as names and values', () => {
  expect(
    renderPairs([
      ['ID', 'x'],
      ['Email', null],
    ]),
  ).toBe('ID     x\nEmail  –\n');
});
