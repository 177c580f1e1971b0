import { dayNumber } from '@healthd/model';
import { expect, it } from 'vitest';
import { Tally } from '../../cloud/index.js';
import { silentMembers } from '../../testing/odd-versions.js';
import { readMetrics } from './day-metrics.js';
import { dayRecords } from './day-records.js';
import { ringDay } from './local-day.js';

const DATE = '2026-05-10';
const at = (time: string) => Date.parse(time) / 1_000;
const READING = { timestamp: at('2026-05-10T01:00:00Z'), value: 61 };
const BEDTIME = { bedtime_start: at('2026-05-09T19:00:00Z'), bedtime_end: at('2026-05-10T03:00:00Z') };
const NIGHT = {
  ...BEDTIME,
  quick_metrics: [{ type: 'time_in_bed', value: 28_800 }],
  sleep_stages: [{ type: 'deep_sleep', stage_time: 5_220 }],
  sleep_score: { score: 81 },
  spo2: { value: 97 },
  temperature_deviation: { celsius: -0.1 },
  average_body_temperature: { celsius: 34.9 },
};
const MEMBERS = {
  ...BEDTIME,
  deep_sleep: { minutes: 87 },
  light_sleep: { minutes: 203 },
  rem_sleep: { minutes: 99 },
  awake: { minutes: 26 },
  total_sleep: { minutes: 389 },
  time_in_bed: { minutes: 480 },
  sleep_efficiency: { percentage: 91 },
  score_trend: { value: 79 },
  avg_sleep_hrv: { value: 50 },
};

/** Members that may contain any text, because the vendor has more quick metrics than the adapter reads. */
const NAMES = ['object.quick_metrics.0.type'];
const GRAPH = { data: [{ start: at('2026-05-09T19:00:00Z'), end: at('2026-05-09T22:00:00Z'), type: 'light' }] };

function read(metric: unknown) {
  const tally = new Tally('metrics');
  const response = readMetrics({ data: { metrics: { [DATE]: [metric] } }, error: null }, DATE, tally);
  const stored = dayRecords(response, ringDay(dayNumber(DATE) ?? 0, response, 'Asia/Dubai'), tally);
  return { stored, rejected: tally.rejections.total, counted: tally.rejections.byReason };
}

it.each<[string, { type: string; object: object }, readonly string[]]>([
  ['a night', { type: 'sleep', object: NIGHT }, NAMES],
  ['a night of flat members', { type: 'sleep', object: MEMBERS }, []],
  ['heart rates', { type: 'hr', object: { values: [READING] } }, []],
  ['saturations', { type: 'spo2', object: { avg: 96.5, values: null } }, []],
  ['steps', { type: 'steps', object: { values: [READING], total: 4_210 } }, []],
  ['a resting heart rate', { type: 'night_rhr', object: { avg: 51, values: [] } }, []],
  ['a mean of glucose', { type: 'average_glucose', object: { value: 104 } }, []],
  ['a score', { type: 'recovery_index', object: { value: 70 } }, []],
])('counts each unreadable field of %s', (_, metric, texts) => {
  expect(silentMembers(metric, texts, read)).toEqual([]);
});

it('counts each unreadable member of a graph', () => {
  const graph = (data: unknown) => read({ type: 'sleep', object: { ...BEDTIME, sleep_graph: { data } } });
  expect(silentMembers(GRAPH.data, [], graph)).toEqual([]);
});

it.each(['odd', true, { data: 'odd' }])('counts a graph that is %j', (sleep_graph) => {
  const { counted } = read({ type: 'sleep', object: { ...BEDTIME, sleep_graph } });
  expect(counted).toEqual({ 'not_understood:sleep.sleep_graph.data': 1 });
});

it('does not count an empty list as an unreadable graph', () => {
  expect(read({ type: 'sleep', object: { ...BEDTIME, sleep_graph: [] } }).counted).toEqual({});
});
