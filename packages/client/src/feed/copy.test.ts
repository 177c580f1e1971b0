import { expect, test } from 'vitest';
import { agedDays, changedDays } from './copy.js';
import type { Change } from './wire.js';

const change = (kind: Change['kind'], days: [string, string][], type?: string) =>
  ({ kind, action: 'created', days: days.map(([from, to]) => ({ from, to })), type }) as Change;

test('combines changes of neighboring days with their kinds and types', () => {
  const changes = [
    change('samples', [['2026-03-03', '2026-03-04']], 'steps'),
    change('sleep', [['2026-03-01', '2026-03-01']]),
    change('samples', [['2026-03-04', '2026-03-09']], 'heart_rate'),
    change('samples', [['2026-03-02', '2026-03-02']], 'steps'),
  ];
  expect(changedDays(changes)).toEqual([
    { from: '2026-03-01', to: '2026-03-09', kinds: ['sleep', 'samples'], types: ['steps', 'heart_rate'] },
  ]);
});

test('keeps distant days apart', () => {
  const changes = [
    change('workout', [
      ['2020-01-01', '2020-01-02'],
      ['2026-03-01', '2026-03-01'],
    ]),
  ];
  expect(changedDays(changes)).toEqual([
    { from: '2020-01-01', to: '2020-01-02', kinds: ['workout'], types: [] },
    { from: '2026-03-01', to: '2026-03-01', kinds: ['workout'], types: [] },
  ]);
});

test('keeps the later end of overlapping days', () => {
  const changes = [
    change('workout', [['2026-01-01', '2026-01-20']]),
    change('workout', [['2026-01-02', '2026-01-03']]),
  ];
  expect(changedDays(changes)).toEqual([{ from: '2026-01-01', to: '2026-01-20', kinds: ['workout'], types: [] }]);
});

test('ignores summaries, selections and users', () => {
  const changes = [change('summary', [['2026-01-01', '2026-01-20']]), change('selection', []), change('user', [])];
  expect(changedDays(changes)).toEqual([]);
});

test('distinguishes deleted days from archived and expired days, in order', () => {
  const of = (action: Change['action'], cause?: Change['cause']) =>
    ({ ...change('samples', [['2026-03-01', '2026-03-02']], 'steps'), action, cause }) as Change;
  const changes = [
    of('deleted', 'person'),
    of('archived'),
    of('created'),
    of('deleted', 'replaced'),
    of('expired', 'retention'),
    of('deleted', 'terms'),
  ];
  expect(agedDays(changes).map((days) => days.do)).toEqual(['delete', 'keep', 'keep', 'delete']);
});
