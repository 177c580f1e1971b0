import { describe, expect, it } from 'vitest';
import { readWritten } from './testing/responses.js';
import { MODES } from './testing/modes.js';

const OFFSETS = { startUtcOffset: '7200s', endUtcOffset: '7200s' };
const at = (time: string) => `2026-04-02T${time}Z`;
const ms = (time: string) => Date.parse(at(time));
const NAME = 'users/4410982267731905512/dataTypes/sleep/dataPoints/3307715520011';

function stage(type: string, from: string, to: string): object {
  return { startTime: at(from), ...OFFSETS, endTime: at(to), type };
}

function sleepPoint(payload: object, further: object = {}): object {
  const interval = { startTime: at('00:00:00'), endTime: at('06:00:00'), ...OFFSETS };
  return { name: NAME, sleep: { interval, ...payload }, ...further };
}

async function night(payload: object): Promise<unknown> {
  const { records, rejections } = await readWritten('sleep', [sleepPoint(payload)], MODES.reconcile);
  expect(rejections.total).toBe(0);
  expect(records).toHaveLength(1);
  return records[0];
}

const STAGES = [
  stage('LIGHT', '00:30:00', '03:00:00'),
  stage('AWAKE', '00:00:00', '00:30:00'),
  stage('DEEP', '03:00:00', '05:00:00'),
  stage('LIGHT', '05:00:00', '06:00:00'),
];

describe('night', () => {
  it('stores the vendor’s totals and ordered stages on the waking date', async () => {
    const read = await night({
      interval: { startTime: at('00:00:00'), endTime: at('06:00:00'), startUtcOffset: '3600s', endUtcOffset: '7200s' },
      type: 'STAGES',
      stages: STAGES,
      metadata: { processed: true, mainSleep: true },
      summary: {
        minutesInSleepPeriod: '360',
        minutesAsleep: '330',
        minutesAwake: '30',
        minutesToFallAsleep: '0',
        stagesSummary: [
          { type: 'AWAKE', minutes: '30', count: '1' },
          { type: 'LIGHT', minutes: '210', count: '2' },
          { type: 'DEEP', minutes: '120', count: '1' },
          { type: 'DEEP', minutes: '120', count: '1' },
        ],
      },
    });
    expect(read).toEqual({
      kind: 'sleep_session',
      source: { provider: 'google', writer: 'google_health_api' },
      externalId: NAME,
      startMs: ms('00:00:00'),
      endMs: ms('06:00:00'),
      offsetMinutes: 120,
      isNap: false,
      inBedSeconds: 21_600,
      asleepSeconds: 19_800,
      awakeSeconds: 1800,
      lightSeconds: 12_600,
      deepSeconds: 7200,
      remSeconds: 0,
      efficiencyPercent: 91.7,
      stages: [
        { stage: 'awake', startMs: ms('00:00:00'), endMs: ms('00:30:00') },
        { stage: 'light', startMs: ms('00:30:00'), endMs: ms('03:00:00') },
        { stage: 'deep', startMs: ms('03:00:00'), endMs: ms('05:00:00') },
        { stage: 'light', startMs: ms('05:00:00'), endMs: ms('06:00:00') },
      ],
    });
  });

  it('sums the stages if the summary is missing', async () => {
    expect(await night({ type: 'STAGES', stages: STAGES })).toMatchObject({
      inBedSeconds: 21_600,
      asleepSeconds: 19_800,
      awakeSeconds: 1800,
      lightSeconds: 12_600,
      deepSeconds: 7200,
    });
  });

  it('stores classic sleep without distinct stages', async () => {
    const stages = [stage('ASLEEP', '00:00:00', '05:00:00'), stage('RESTLESS', '05:00:00', '06:00:00')];
    const summary = {
      minutesInSleepPeriod: '360',
      minutesAsleep: '300',
      stagesSummary: [{ type: 'ASLEEP', minutes: '300' }],
    };
    const read = await night({ type: 'CLASSIC', stages, summary });
    expect(read).toMatchObject({ asleepSeconds: 18_000, awakeSeconds: 0, efficiencyPercent: 83.3 });
    expect(read).toMatchObject({ stages: [{ stage: 'sleeping' }, { stage: 'unknown' }] });
    expect(read).not.toHaveProperty('deepSeconds');
  });

  it('clips stages to its start and end', async () => {
    const read = await night({
      stages: [
        stage('AWAKE', '00:00:00', '00:30:00'),
        { ...stage('LIGHT', '00:00:00', '06:10:00'), startTime: at('00:30:00') },
        { ...stage('AWAKE', '00:00:00', '00:00:00'), startTime: '2026-04-01T23:50:00Z' },
        stage('AWAKE', '06:10:00', '06:20:00'),
      ],
    });
    expect(read).toMatchObject({
      startMs: ms('00:00:00'),
      endMs: ms('06:00:00'),
      awakeSeconds: 1800,
      lightSeconds: 19_800,
      stages: [
        { stage: 'awake', startMs: ms('00:00:00'), endMs: ms('00:30:00') },
        { stage: 'light', startMs: ms('00:30:00'), endMs: ms('06:00:00') },
      ],
    });
  });

  it('uses the last stage’s offset if the end has no offset', async () => {
    const interval = { startTime: at('00:00:00'), endTime: at('06:00:00'), startUtcOffset: '3600s' };
    const { startUtcOffset, endUtcOffset, ...unplaced } = stage('DEEP', '05:00:00', '06:00:00') as typeof OFFSETS;
    const stages = [unplaced, stage('LIGHT', '03:00:00', '05:00:00'), { ...unplaced, startTime: at('00:00:00') }];
    expect(await night({ interval, stages })).toMatchObject({ offsetMinutes: 120 });
    expect(await night({ interval, stages: [unplaced] })).toMatchObject({ offsetMinutes: 60 });
  });

  it('stores partial data before the vendor has processed the night', async () => {
    const read = await night({ metadata: {} });
    expect(read).toMatchObject({ inBedSeconds: 21_600, isNap: false, externalId: NAME });
    expect(read).not.toHaveProperty('asleepSeconds');
  });

  it('maps a future stage name to unknown', async () => {
    expect(await night({ stages: [stage('LUCID', '00:00:00', '06:00:00')] })).toMatchObject({
      stages: [{ stage: 'unknown' }],
    });
  });

  it.each([
    ['dataPointName', { dataPointName: 'a', name: undefined }, 'a'],
    ['name', { name: 'b' }, 'b'],
    ['the id from another application', { name: undefined }, 'c'],
  ])('is identified by %s', async (_, further, externalId) => {
    const { records } = await readWritten('sleep', [sleepPoint({ metadata: { externalId: 'c' } }, further)]);
    expect(records).toMatchObject([{ externalId }]);
  });

  it('rejects only nights that are too short, too long or undated', async () => {
    const spans = [
      [at('06:00:00'), at('06:00:00')],
      ['2026-03-28T00:00:00Z', at('06:00:00')],
      [at('06:00:00'), at('06:00:59')],
      [at('00:00:00'), undefined],
    ];
    const points = spans.map(([startTime, endTime]) => sleepPoint({ interval: { startTime, endTime } }));
    const { records, rejections } = await readWritten('sleep', [...points, sleepPoint({}), { exercise: {} }]);
    expect(records).toHaveLength(1);
    const bound = 'sleep session 1 min..36 h';
    expect(rejections.first.map(({ index, code, detail }) => [index, code, detail])).toEqual([
      [0, 'empty_interval', undefined],
      [1, 'implausible', bound],
      [2, 'implausible', bound],
      [3, 'invalid_date', undefined],
      [5, 'missing', undefined],
    ]);
  });
});

const RUN = {
  interval: { startTime: at('15:00:00'), endTime: at('15:34:00'), ...OFFSETS },
  exerciseType: 'RUNNING',
  displayName: 'Run',
  activeDuration: '1920s',
  metricsSummary: {
    caloriesKcal: 348.5,
    distanceMillimeters: 5400000,
    steps: '5280',
    averageHeartRateBeatsPerMinute: '149',
    averageSpeedMillimetersPerSecond: 2812.5,
    averagePaceSecondsPerMeter: 0.3556,
    elevationGainMillimeters: 41000,
    activeZoneMinutes: '52',
    heartRateZoneDurations: { lightTime: '120s', moderateTime: '900s', vigorousTime: '840s', peakTime: '60s' },
    mobilityMetrics: {
      avgCadenceStepsPerMinute: 165,
      avgStrideLengthMillimeters: '1022',
      avgGroundContactTimeDuration: '0.245s',
    },
  },
  exerciseEvents: [
    { eventTime: at('15:00:00'), exerciseEventType: 'START' },
    { eventTime: at('15:12:00'), exerciseEventType: 'PAUSE' },
    { eventTime: at('15:14:00'), exerciseEventType: 'RESUME' },
    { eventTime: at('15:20:00'), exerciseEventType: 'AUTO_PAUSE' },
    { eventTime: 'later', exerciseEventType: 'PAUSE' },
  ],
  exerciseMetadata: { hasGps: true, poolLengthMillimeters: '25000' },
  splits: [
    {
      startTime: at('15:00:00'),
      endTime: at('15:06:30'),
      splitType: 'DISTANCE',
      activeDuration: '360s',
      metricsSummary: { distanceMillimeters: 1000000 },
    },
  ],
  splitSummaries: [{ startTime: at('15:00:00'), endTime: at('15:10:00'), splitType: 'MANUAL' }],
  notes: 'Rain.',
};

describe('workout', () => {
  it('stores every figure of the summary and the total energy', async () => {
    const { records } = await readWritten('exercise', [{ name: 'run', exercise: RUN }], MODES.reconcile);
    expect(records).toEqual([
      {
        kind: 'workout',
        source: { provider: 'google', writer: 'google_health_api' },
        externalId: 'run',
        type: 'running',
        name: 'Run',
        startMs: ms('15:00:00'),
        endMs: ms('15:34:00'),
        offsetMinutes: 120,
        durationSeconds: 1920,
        movingSeconds: 1920,
        totalCaloriesKcal: 348.5,
        distanceMeters: 5400,
        stepsCount: 5280,
        heartRateAvg: 149,
        averageSpeed: 2.8125,
        elevationGainMeters: 41,
        averageCadence: 165,
        events: [
          { type: 'segment', startMs: ms('15:00:00'), durationSeconds: 360, label: 'distance', distanceMeters: 1000 },
          { type: 'lap', startMs: ms('15:00:00'), durationSeconds: 600, label: 'manual' },
          { type: 'pause', startMs: ms('15:12:00') },
          { type: 'resume', startMs: ms('15:14:00') },
          { type: 'motion_pause', startMs: ms('15:20:00') },
        ],
        metadata: {
          average_pace_seconds_per_km: 355.6,
          active_zone_minutes: 52,
          stride_length_meters: 1.022,
          light_zone_seconds: 120,
          moderate_zone_seconds: 900,
          vigorous_zone_seconds: 840,
          peak_zone_seconds: 60,
          ground_contact_seconds: 0.245,
          has_gps: true,
          pool_length_meters: 25,
          notes: 'Rain.',
          vendor_type: 'RUNNING',
        },
      },
    ]);
  });

  it.each([
    ['BIKING', 'cycling'],
    ['SWIMMING_POOL', 'pool_swimming'],
    ['PICKELBALL', 'pickleball'],
    ['TAI_CHI', 'martial_arts'],
    ['TREADMILL', 'treadmill'],
    ['SURFING', 'surfing'],
    ['HIIT', 'cardio_training'],
    ['CURLING', 'curling'],
    ['EXERCISE_TYPE_UNSPECIFIED', 'other'],
    ['HOVERBOARDING', 'other'],
  ])('maps the exercise %s to %s with its original name', async (exerciseType, type) => {
    const { records } = await readWritten('exercise', [{ exercise: { ...RUN, exerciseType } }]);
    expect(records).toMatchObject([{ type, metadata: { vendor_type: exerciseType } }]);
  });
});

describe('workout of two sources', () => {
  const reported = (name: string, dataSource: object, from: string, to: string, metricsSummary: object) => ({
    name,
    dataSource,
    exercise: {
      interval: { startTime: at(from), endTime: at(to), ...OFFSETS },
      exerciseType: 'RUNNING',
      metricsSummary,
    },
  });
  const watch = { platform: 'FITBIT', device: { formFactor: 'WATCH', displayName: 'Watch Lyra' } };
  const journal = { platform: 'HEALTH_CONNECT', application: { packageName: 'com.example.journal' } };
  const manual = { platform: 'FITBIT', recordingMethod: 'MANUAL' };

  it('reads the workout once, from the more detailed source', async () => {
    const { records } = await readWritten('exercise', [
      reported('journal', journal, '15:00:00', '15:40:00', { caloriesKcal: 300 }),
      reported('watch', watch, '15:02:00', '15:35:00', { caloriesKcal: 320, distanceMillimeters: 5e6 }),
      reported('typed', manual, '15:00:00', '15:30:00', { caloriesKcal: 320, distanceMillimeters: 5e6, steps: '5000' }),
    ]);
    expect(records).toMatchObject([
      { externalId: 'watch', source: { deviceModel: 'Watch Lyra', deviceType: 'watch' } },
    ]);
  });

  it('reads workouts separately if they barely overlap or share a source', async () => {
    const { records } = await readWritten('exercise', [
      reported('run', watch, '15:00:00', '15:40:00', {}),
      reported('walk home', journal, '15:38:00', '16:00:00', {}),
      reported('interval', watch, '15:10:00', '15:20:00', {}),
    ]);
    expect(records).toHaveLength(3);
  });
});
