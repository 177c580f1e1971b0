import { expect, test } from 'vitest';
import { Calendar } from '../calendar.js';
import { Random } from '../random.js';
import type { PointInput, SourceKey } from './point-types.js';
import { reconcile } from './reconcile.js';
import { pointValue, storedPoint } from './stored-points.js';

const berlin = new Calendar('Europe/Berlin');

function steps(source: SourceKey, start: string, end: string, value: number): PointInput {
  return { dataType: 'steps', source, startTime: `2026-04-02T${start}Z`, endTime: `2026-04-02T${end}Z`, value };
}

function merged(...inputs: PointInput[]): [string, string, number | undefined][] {
  return reconcile(inputs.map((input) => storedPoint(input, berlin))).map((point) => [
    new Date(point.startMs).toISOString().slice(11, 19),
    new Date(point.endMs).toISOString().slice(11, 19),
    pointValue(point),
  ]);
}

test('fills gaps of the tracker with the phone’s share', () => {
  expect(merged(steps('phone', '10:00:00', '10:10:00', 1000), steps('tracker', '10:02:00', '10:05:00', 330))).toEqual([
    ['10:00:00', '10:02:00', 200],
    ['10:02:00', '10:05:00', 330],
    ['10:05:00', '10:10:00', 500],
  ]);
});

test('drops a record that a better source covers', () => {
  expect(
    merged(
      steps('tracker', '10:00:00', '10:05:00', 400),
      steps('tracker', '10:05:00', '10:10:00', 410),
      steps('phone', '10:01:00', '10:09:00', 900),
    ),
  ).toEqual([
    ['10:00:00', '10:05:00', 400],
    ['10:05:00', '10:10:00', 410],
  ]);
});

test('replaces the phone’s interval after a late tracker sync', () => {
  const phone = steps('phone', '10:00:00', '10:10:00', 1000);
  expect(merged(phone)).toEqual([['10:00:00', '10:10:00', 1000]]);
  expect(merged(phone, steps('tracker', '10:00:00', '10:06:00', 700))).toEqual([
    ['10:00:00', '10:06:00', 700],
    ['10:06:00', '10:10:00', 400],
  ]);
});

test('keeps overlapping records of one source', () => {
  expect(merged(steps('phone', '10:00:00', '10:10:00', 100), steps('phone', '10:05:00', '10:15:00', 100))).toHaveLength(
    2,
  );
});

test('rounds partial step counts, but not partial energy', () => {
  const odd = merged(steps('phone', '10:00:00', '10:03:00', 101), steps('tracker', '10:01:00', '10:02:00', 5));
  expect(odd.map(([, , value]) => value)).toEqual([34, 5, 34]);
  const energy = (source: SourceKey, end: string): PointInput => ({
    ...steps(source, '10:00:00', end, 1),
    dataType: 'active-energy-burned',
  });
  const [, rest] = merged(energy('tracker', '10:01:00'), energy('phone', '10:03:00'));
  expect(rest![2]).toBeCloseTo(2 / 3, 12);
});

test('keeps the better source’s sample at an instant', () => {
  const rate = (source: SourceKey, value: number): PointInput => ({
    dataType: 'heart-rate',
    startTime: '2026-04-02T10:00:00Z',
    source,
    value,
  });
  expect(merged(rate('tracker', 70), rate('watch', 72)).map(([, , value]) => value)).toEqual([72]);
});

test('keeps the better source’s night', () => {
  const night = (source: SourceKey, start: string): PointInput => ({
    dataType: 'sleep',
    source,
    startTime: start,
    endTime: '2026-04-02T05:00:00Z',
    value: { type: 'CLASSIC' },
  });
  const retained = reconcile(
    [night('journal', '2026-04-01T21:50:00Z'), night('tracker', '2026-04-01T22:00:00Z')].map((input) =>
      storedPoint(input, berlin),
    ),
  );
  expect(retained.map(({ source }) => source.key)).toEqual(['tracker']);
});

test('counts each second once at the best source’s rate', () => {
  const random = new Random('overlaps');
  for (let round = 0; round < 40; round++) {
    const inputs: PointInput[] = [];
    const best = new Map<number, { rank: number; rate: number }>();
    for (const [rank, source] of (['watch', 'tracker', 'phone'] as const).entries()) {
      for (let at = random.integer(0, 60); at < 600; at += random.integer(0, 90)) {
        const end = at + random.integer(1, 120);
        const rate = random.integer(1, 9);
        const iso = (second: number) => new Date(Date.parse('2026-04-02T10:00:00Z') + second * 1000).toISOString();
        const times = { startTime: iso(at), endTime: iso(end) };
        inputs.push({ dataType: 'active-energy-burned', source, ...times, value: rate * (end - at) });
        for (let second = at; second < end; second++) {
          const known = best.get(second);
          if (!known || rank < known.rank) best.set(second, { rank, rate });
        }
        at = end;
      }
    }
    const points = reconcile(inputs.map((input) => storedPoint(input, berlin)));
    const seconds = points.reduce((sum, { startMs, endMs }) => sum + (endMs - startMs) / 1000, 0);
    expect(seconds).toBe(best.size);
    const energy = points.reduce((sum, point) => sum + pointValue(point)!, 0);
    expect(energy).toBeCloseTo(
      [...best.values()].reduce((sum, { rate }) => sum + rate, 0),
      6,
    );
  }
});
