import type { TimeSeriesSample } from '@healthd/schemas';
import { expect, it } from 'vitest';
import { type ExplainedMetric, lanesOf, overlapsOf, samplesOfDate } from './day-lanes.js';

const at = (time: string) => Date.parse(`2026-03-10T${time}:00Z`);
const bucket = (time: string, value: number) =>
  ({ timestamp: `2026-03-10T${time}:00Z`, value, local_offset: '+01:00' }) as TimeSeriesSample;
const candidate = (source_id: string, device_name: string) => ({
  source_id,
  source: { provider: 'apple', source: null, device: null, device_type: null, device_name },
});
const metric = {
  unit: 'count',
  candidates: [candidate('w', 'Watch'), candidate('p', 'Phone')],
  ranges: [{ source_id: 'w', start: '2026-03-10T08:00:00Z', end: '2026-03-10T08:20:00Z', amount: 90 }],
} as unknown as ExplainedMetric;

it('marks amounts as counted within the source’s ranges', () => {
  const series = new Map([
    ['w', [bucket('08:00', 50), bucket('08:15', 40), bucket('08:30', 0), bucket('09:00', 10)]],
    ['p', [bucket('08:00', 100)]],
  ]);
  const lanes = lanesOf(metric, series);
  expect(lanes.map(({ name, blocks }) => [name, blocks.map(({ look, level }) => [look, level])])).toEqual([
    [
      '1. Watch',
      [
        ['counted', 0.5],
        ['counted', 0.4],
        ['spare', 0.1],
      ],
    ],
    ['2. Phone', [['spare', 1]]],
  ]);
  expect(lanes[0]?.blocks[0]?.title).toBe('09:00, 50 count, counted');
});

it('treats a range as half-open and an empty range as an instant', () => {
  const range = (source_id: string, start: string, end: string) => ({
    source_id,
    start: `2026-03-10T${start}:00Z`,
    end: `2026-03-10T${end}:00Z`,
    amount: 1,
  });
  const ranges = [range('w', '08:00', '08:15'), range('w', '08:45', '08:45')];
  const samples = ['08:00', '08:15', '08:30', '08:45'].map((time) => bucket(time, 1));
  const [lane] = lanesOf({ ...metric, ranges } as ExplainedMetric, new Map([['w', samples]]));
  expect(lane?.blocks.map(({ look }) => look)).toEqual(['counted', 'spare', 'spare', 'counted']);
});

it('merges adjacent overlaps of sources whose amounts are not zero', () => {
  const series = new Map([
    ['w', [bucket('08:00', 5), bucket('08:15', 5), bucket('08:30', 5), bucket('10:00', 5)]],
    ['p', [bucket('08:00', 1), bucket('08:15', 1), bucket('08:30', 0), bucket('10:00', 3)]],
  ]);
  expect(overlapsOf(series)).toEqual([
    { from: at('08:00'), to: at('08:30') },
    { from: at('10:00'), to: at('10:15') },
  ]);
});

it('assigns a sample to the date at its offset', () => {
  const sample = (timestamp: string) => ({ timestamp, zone_offset: null, local_offset: '+13:00' }) as TimeSeriesSample;
  const inAuckland = [sample('2026-03-09T11:00:00Z'), sample('2026-03-10T10:45:00Z')];
  const outside = [sample('2026-03-09T10:45:00Z'), sample('2026-03-10T11:00:00Z')];
  const samples = samplesOfDate(new Map([['w', [...inAuckland, ...outside]]]), '2026-03-10');
  expect(samples.get('w')).toEqual(inAuckland);
});
