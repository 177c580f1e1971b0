import { dayNumber, formatOffset, localDate, seriesTypeById } from '@healthd/model';
import { describe, expect, it } from 'vitest';
import { Tally } from '../../cloud/index.js';
import { readMetrics } from './day-metrics.js';
import { dayRecords } from './day-records.js';
import { ringDay } from './local-day.js';

const DATE = '2026-05-10';
const at = (time: string) => Date.parse(time) / 1_000;
/** From 23:00 to 07:00 in Dubai. */
const BEDTIME = { bedtime_start: at('2026-05-09T19:00:00Z'), bedtime_end: at('2026-05-10T03:00:00Z') };
const MIDNIGHT = { day_start_timestamp: at('2026-05-09T20:00:00Z') };

/** Records of a response for the date. */
function stored(metrics: object[], { zone = 'Asia/Dubai', ownZone }: { zone?: string; ownZone?: string } = {}) {
  const tally = new Tally('metrics');
  const body = { data: { metrics: { [DATE]: metrics }, latest_time_zone: zone }, error: null, status: 200 };
  const response = readMetrics(body, DATE, tally);
  const records = dayRecords(response, ringDay(dayNumber(DATE) ?? 0, response, ownZone), tally);
  const nights = records.flatMap((one) => (one.kind === 'sleep_session' ? [one] : []));
  const samples = records.flatMap((one) => (one.kind === 'sample' ? [one] : []));
  const scores = records.flatMap((one) => (one.kind === 'health_score' ? [one] : []));
  return {
    night: nights[0],
    /** Data types that the response deletes if they are missing. */
    replaced: records.flatMap((one) => (one.kind === 'replacement' ? [one.of] : [])),
    /** Series and types of stored samples that are deleted unless the response contains them. */
    replacedSamples: records.flatMap((one) =>
      one.kind === 'replacement' && one.of === 'samples'
        ? one.typeIds.map((id) => `${seriesTypeById(id)?.code} ${one.sampleKinds?.join(' ')}`)
        : [],
    ),
    scores,
    /** Samples with their UTC time, local date and offset. */
    values: samples.map(({ typeId, sampleKind, value, startMs, offsetMinutes }) => ({
      series: seriesTypeById(typeId)?.code,
      kind: sampleKind,
      value,
      at: new Date(startMs).toISOString(),
      date: localDate(startMs, offsetMinutes ?? 0),
      offset: offsetMinutes === undefined ? undefined : formatOffset(offsetMinutes),
    })),
    counted: tally.rejections.byReason,
  };
}

/** Hours and minutes, as in the vendor's app. */
const clock = (seconds: number | undefined) =>
  seconds === undefined
    ? '?'
    : `${Math.floor(seconds / 3_600)}h${String(Math.round((seconds % 3_600) / 60)).padStart(2, '0')}`;

const STAGES = [
  { type: 'deep_sleep', stage_time: 5_220 },
  { type: 'light_sleep', stage_time: 12_180 },
  { type: 'rem_sleep', stage_time: 5_940 },
  { type: 'awake', stage_time: 1_560 },
];
const GRAPH = {
  data: [
    { start: at('2026-05-09T19:00:00Z'), end: at('2026-05-09T19:10:00Z'), type: 'awake' },
    { start: at('2026-05-09T19:10:00Z'), end: at('2026-05-09T22:00:00Z'), type: 'light' },
    { start: at('2026-05-09T22:00:00Z'), end: at('2026-05-10T00:00:00Z'), type: 'deep' },
    { start: at('2026-05-10T00:00:00Z'), end: at('2026-05-10T03:00:00Z'), type: 'rem' },
  ],
};

describe('the figures of a night in the vendor format', () => {
  it.each<[string, object, string]>([
    ['a list of stages', { sleep_stages: STAGES }, 'asleep 6h29, deep 1h27, light 3h23, rem 1h39, awake 0h26'],
    [
      'flat members in minutes',
      {
        deep_sleep: { minutes: 87 },
        light_sleep: { minutes: 203 },
        rem_sleep: { minutes: 99 },
        awake: { minutes: 26 },
        total_sleep: { minutes: 389 },
      },
      'asleep 6h29, deep 1h27, light 3h23, rem 1h39, awake 0h26',
    ],
    [
      'flat members with seconds and rounded minutes',
      { deep_sleep: { minutes: 87, seconds: 5_250 }, total_sleep: { hours: 6, remaining_minutes: 29 } },
      'asleep 6h29, deep 1h28, light ?, rem ?, awake ?',
    ],
    [
      'bare numbers of minutes',
      { deep_sleep: 87, light_sleep: 203, rem_sleep: 99, awake_time: 26 },
      'asleep 6h29, deep 1h27, light 3h23, rem 1h39, awake 0h26',
    ],
    [
      'a graph with short names and an empty list',
      { sleep_stages: [], sleep_graph: GRAPH },
      'asleep 7h50, deep 2h00, light 2h50, rem 3h00, awake 0h10',
    ],
    [
      'quick metrics, the total in seconds',
      { quick_metrics: [{ type: 'total_sleep', value: 23_340 }] },
      'asleep 6h29, deep ?, light ?, rem ?, awake ?',
    ],
    [
      'a null stage next to the total',
      {
        sleep_stages: [{ type: 'deep_sleep', stage_time: null }, ...STAGES.slice(1)],
        total_sleep: { minutes: 389 },
      },
      'asleep 6h29, deep ?, light 3h23, rem 1h39, awake 0h26',
    ],
    [
      'a null stage without a total',
      { sleep_stages: [{ type: 'deep_sleep', stage_time: null }, ...STAGES.slice(1)] },
      'asleep ?, deep ?, light 3h23, rem 1h39, awake 0h26',
    ],
    [
      'a null stage next to the graph',
      { sleep_stages: [{ type: 'deep_sleep', stage_time: null }, ...STAGES.slice(1)], sleep_graph: GRAPH },
      'asleep 7h02, deep 2h00, light 3h23, rem 1h39, awake 0h26',
    ],
    [
      'a total that differs from its stages',
      { sleep_stages: STAGES, quick_metrics: [{ type: 'total_sleep', value: 23_400 }] },
      'asleep 6h30, deep 1h27, light 3h23, rem 1h39, awake 0h26',
    ],
    ['bedtimes alone', {}, 'asleep ?, deep ?, light ?, rem ?, awake ?'],
  ])('have the expected durations with %s', (_, sleep, expected) => {
    const { night, counted } = stored([{ type: 'sleep', object: { ...BEDTIME, ...sleep } }]);
    const { asleepSeconds, deepSeconds, lightSeconds, remSeconds, awakeSeconds } = night ?? {};
    const figures = {
      asleep: asleepSeconds,
      deep: deepSeconds,
      light: lightSeconds,
      rem: remSeconds,
      awake: awakeSeconds,
    };
    expect(
      Object.entries(figures)
        .map(([name, seconds]) => `${name} ${clock(seconds)}`)
        .join(', '),
    ).toBe(expected);
    expect(counted).toEqual({});
  });

  it("reads a night's total from a separate metric", () => {
    const { night } = stored([
      { type: 'sleep', object: BEDTIME },
      { type: 'total_sleep', value: 23_340, unit: 'seconds' },
    ]);
    expect(clock(night?.asleepSeconds)).toBe('6h29');
  });

  it("takes a night's times from its graph if bedtimes are missing", () => {
    const { night } = stored([{ type: 'sleep', object: { bedtime_start: null, sleep_graph: GRAPH } }]);
    expect([night?.startMs, night?.endMs]).toEqual([BEDTIME.bedtime_start * 1_000, BEDTIME.bedtime_end * 1_000]);
  });

  it('reads a graph in any order', () => {
    const nightOf = (data: object[]) =>
      stored([{ type: 'sleep', object: { bedtime_start: null, sleep_graph: { data } } }]).night;
    expect(nightOf(GRAPH.data.toReversed())).toEqual(nightOf(GRAPH.data));
  });

  it.each<[string, object]>([
    ['a list of stages', { sleep_stages: STAGES }],
    ['flat members', { deep_sleep: { minutes: 87 }, light_sleep: 203 }],
    ['a bare total', { total_sleep: 389 }],
    ['a time in bed', { time_in_bed: { minutes: 455 } }],
  ])('counts a night without a time as unreadable: %s', (_, sleep) => {
    const { night, counted } = stored([{ type: 'sleep', object: sleep }]);
    expect([night, counted]).toEqual([undefined, { 'not_understood:sleep.bedtime_start': 1 }]);
  });

  it.each<[string, object]>([
    ['no time', { sleep_stages: STAGES }],
    ['an end before its start', { bedtime_start: BEDTIME.bedtime_end, bedtime_end: BEDTIME.bedtime_start }],
    ['an impossible length', { ...BEDTIME, bedtime_end: BEDTIME.bedtime_end + 5 * 86_400 }],
    ['a time that is text', { ...BEDTIME, bedtime_start: 'late' }],
  ])('removes no stored night if the new night has %s', (_, sleep) => {
    const { night, replaced } = stored([{ type: 'sleep', object: sleep }]);
    expect([night, replaced]).toEqual([undefined, expect.not.arrayContaining(['sleep_sessions'])]);
  });

  it('leaves the time asleep undefined if the graph has unknown stages', () => {
    const data = GRAPH.data.map((one, n) => (n === 2 ? { ...one, type: 'core' } : one));
    const { night } = stored([{ type: 'sleep', object: { ...BEDTIME, sleep_graph: { data } } }]);
    expect([night?.asleepSeconds, night?.remSeconds]).toEqual([undefined, 10_800]);
  });
});

describe('other figures in all vendor formats', () => {
  const WAKING = '2026-05-10T03:00:00.000Z';
  it.each<[string, object[], string, number]>([
    ['avg_sleep_hrv', [{ type: 'avg_sleep_hrv', object: { value: 52 } }], 'heart_rate_variability_rmssd', 52],
    [
      'sleep.avg_sleep_hrv',
      [{ type: 'sleep', object: { ...BEDTIME, avg_sleep_hrv: { value: 50 } } }],
      'heart_rate_variability_rmssd',
      50,
    ],
    [
      'quick metric avg_hrv',
      [{ type: 'sleep', object: { ...BEDTIME, quick_metrics: [{ type: 'avg_hrv', value: 48 }] } }],
      'heart_rate_variability_rmssd',
      48,
    ],
    ['spo2.avg without readings', [{ type: 'spo2', object: { avg: 96.5, values: null } }], 'oxygen_saturation', 96.5],
    ['sleep.spo2.value', [{ type: 'sleep', object: { ...BEDTIME, spo2: { value: 97 } } }], 'oxygen_saturation', 97],
    [
      'sleep.average_body_temperature.celsius',
      [{ type: 'sleep', object: { ...BEDTIME, average_body_temperature: { celsius: 34.9 } } }],
      'skin_temperature',
      34.9,
    ],
    ['average_body_temperature', [{ type: 'average_body_temperature', value: 34.9 }], 'skin_temperature', 34.9],
    ['night_rhr.avg', [{ type: 'night_rhr', object: { avg: 51, values: [] } }], 'resting_heart_rate', 51],
    ['sleep_rhr', [{ type: 'sleep_rhr', object: { value: 52 } }], 'resting_heart_rate', 52],
  ])('stores %s as one value of the night, at waking', (_, metrics, series, value) => {
    const { values, counted } = stored([{ type: 'sleep', object: BEDTIME }, ...metrics]);
    expect(values).toMatchObject([{ series, kind: 'aggregate', value, at: WAKING, offset: '+04:00' }]);
    expect(counted).toEqual({});
  });

  it('stores saturation readings instead of the mean if readings exist', () => {
    const readings = { avg: 96, values: [{ timestamp: at('2026-05-10T01:00:00Z'), value: 96 }] };
    expect(stored([{ type: 'spo2', object: readings }]).values).toMatchObject([{ kind: 'sample', value: 96 }]);
  });

  it("stores the day's mean glucose", () => {
    expect(stored([{ type: 'average_glucose', object: { value: 104.2, ...MIDNIGHT } }]).values).toMatchObject([
      { series: 'blood_glucose', kind: 'daily_total', value: 104.2, at: '2026-05-09T20:00:00.000Z', date: DATE },
    ]);
  });

  it.each(['glucose_variability', 'time_in_target', 'hba1c', 'metabolic_score'])(
    'counts %s, which has no series',
    (type) => {
      const { values, counted } = stored([{ type, object: { value: 5.2 } }]);
      expect([values, counted]).toEqual([[], { [`unsupported:${type}`]: 1 }]);
    },
  );

  it.each<[string, object[], number, object | undefined]>([
    ['the daily score', [{ type: 'sleep_score', object: { value: 84 } }], 84, undefined],
    [
      'the score within the sleep metric',
      [{ type: 'sleep', object: { ...BEDTIME, sleep_score: { score: 81 } } }],
      81,
      undefined,
    ],
    ['the score trend', [{ type: 'sleep', object: { ...BEDTIME, score_trend: { value: 79 } } }], 79, undefined],
    [
      'the daily score instead of the sleep metric’s score',
      [
        { type: 'sleep', object: { ...BEDTIME, sleep_score: { score: 81 } } },
        { type: 'sleep_score', object: { value: 84 } },
      ],
      84,
      { 'sleep.sleep_score': { value: 81, qualifier: null } },
    ],
  ])('uses %s as the sleep score', (_, metrics, value, components) => {
    expect(stored(metrics).scores).toMatchObject([{ category: 'sleep', value }]);
    expect(stored(metrics).scores[0]?.components).toEqual(components);
  });
});

describe('dates of readings', () => {
  /** An hourly reading of the date in a zone this many hours ahead of UTC. */
  const heartRates = (hoursAhead: number, hours = 24) => {
    const first = at(`${DATE}T00:00:00Z`) - hoursAhead * 3_600;
    return Array.from({ length: hours }, (_, hour) => ({ timestamp: first + hour * 3_600, value: 60 + hour }));
  };
  const hr = (values: object[], more: object = {}) => [{ type: 'hr', object: { values, ...more } }];

  it.each<[string, object[], string]>([
    ['the zone belongs to a later trip', hr(heartRates(9)), '+09:00'],
    [
      'midnight belongs to a later trip',
      hr(heartRates(9), { day_start_timestamp: at('2026-05-10T07:00:00Z') }),
      '+09:00',
    ],
    ['midnight belongs to the day', hr(heartRates(9), { day_start_timestamp: at('2026-05-09T15:00:00Z') }), '+09:00'],
    ['the journey went to the other side of the date line', hr(heartRates(12)), '+12:00'],
  ])("keeps all readings on the response's date if %s", (_, metrics, offset) => {
    const { values, counted } = stored(metrics, { zone: 'America/Los_Angeles' });
    expect(values.map(({ value }) => value)).toEqual(Array.from({ length: 24 }, (__, hour) => 60 + hour));
    expect(new Set(values.map(({ date }) => date))).toEqual(new Set([DATE]));
    expect(new Set(values.map((one) => one.offset))).toEqual(new Set([offset]));
    expect(counted).toEqual({});
  });

  it('keeps all readings of a 33-hour travel day', () => {
    const { values } = stored(hr(heartRates(9, 33), { day_start_timestamp: at('2026-05-09T15:00:00Z') }), {
      zone: 'America/Los_Angeles',
    });
    expect(values).toHaveLength(33);
    expect(new Set(values.map(({ date }) => date))).toEqual(new Set([DATE]));
  });

  it("uses the time zone's offset if the readings fit the date", () => {
    const { values } = stored(hr(heartRates(-7)), { zone: 'America/Los_Angeles' });
    expect(new Set(values.map((one) => one.offset))).toEqual(new Set(['-07:00']));
  });
});

describe('a response', () => {
  const heartRates = [{ timestamp: at('2026-05-10T01:00:00Z'), value: 61 }];

  it.each<[string, object[], string[]]>([
    [
      'no samples for empty metrics',
      [
        { type: 'hr', object: { values: null } },
        { type: 'hrv', object: null },
      ],
      [],
    ],
    [
      'no samples for unreadable values',
      [
        { type: 'hr', object: { values: 'none' } },
        { type: 'steps', object: { values: [{ value: 5 }] } },
      ],
      [],
    ],
    ['readings when readings arrive', [{ type: 'hr', object: { values: heartRates } }], ['heart_rate sample']],
    [
      'nightly and daily values when either arrives',
      [{ type: 'avg_sleep_hrv', object: { value: 52 } }],
      ['heart_rate_variability_rmssd aggregate daily_total'],
    ],
  ])('replaces %s', (_, metrics, expected) => {
    expect(stored(metrics).replacedSamples).toEqual(expected);
  });

  it('replaces only the reported score, not the null score', () => {
    const metrics = [
      { type: 'recovery_index', object: { value: 70 } },
      { type: 'sleep_score', object: { value: null } },
    ];
    expect(stored(metrics).replaced.filter((of) => of === 'health_scores')).toHaveLength(1);
  });
});

describe('unreadable values', () => {
  it.each<[string, object]>([
    ['hr.value', { type: 'hr', object: { values: [{ timestamp: at('2026-05-10T01:00:00Z'), value: 'high' }] } }],
    ['hr.values', { type: 'hr', object: { values: 'none' } }],
    ['vo2_max.value', { type: 'vo2_max', object: { value: 'superior' } }],
    ['recovery_index', { type: 'recovery_index', object: { points: 81 } }],
    [
      'sleep.sleep_graph.type',
      { type: 'sleep', object: { sleep_graph: { data: [{ ...GRAPH.data[0], type: 'core' }] } } },
    ],
    [
      'sleep.sleep_stages.deep',
      { type: 'sleep', object: { ...BEDTIME, sleep_stages: [{ type: 'deep', stage_time: 'x' }] } },
    ],
    ['breath_rate', { type: 'breath_rate', object: { value: 14 } }],
    ['type', { object: { value: 14 } }],
  ])('counts %s under its name', (field, metric) => {
    expect(stored([metric]).counted).toEqual({ [`not_understood:${field}`]: 1 });
  });

  it('does not count null', () => {
    const empty = ['hr', 'vo2_max', 'sleep_score', 'average_glucose'].map((type) => ({ type, object: null }));
    const nulls = ['vo2_max', 'sleep_rhr', 'recovery_index'].map((type) => ({
      type,
      object: { value: null, ...MIDNIGHT },
    }));
    expect(stored([...empty, ...nulls]).counted).toEqual({});
  });
});
