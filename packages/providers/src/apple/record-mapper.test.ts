import { describe, expect, it } from 'vitest';
import { readElements, record } from './testing/read-elements.js';

const Q = 'HKQuantityTypeIdentifier';
const SLEEP = 'HKCategoryTypeIdentifierSleepAnalysis';

describe('a quantity of the export', () => {
  it.each([
    ['OxygenSaturation', '%', 0.97, 'oxygen_saturation', 97],
    ['DistanceWalkingRunning', 'km', 1.5, 'distance_walking_running', 1500],
    ['DistanceWalkingRunning', 'mi', 1, 'distance_walking_running', 1609.344],
    ['BodyMass', 'lb', 160, 'weight', 72.574779],
    ['BloodGlucose', 'mmol&lt;180.1558800000541&gt;/L', 5.5, 'blood_glucose', 99.085734],
    ['BloodGlucose', 'mmol<180.1558800000541>/L', 5.5, 'blood_glucose', 99.085734],
    ['HeartRate', 'count/s', 1.2, 'heart_rate', 72],
    ['ActiveEnergyBurned', 'kJ', 418.4, 'energy', 100],
    ['ActiveEnergyBurned', 'Cal', 100, 'energy', 100],
    ['Height', 'ft', 6, 'height', 182.88],
    ['BodyFatPercentage', '%', 0.21, 'body_fat_percentage', 21],
    ['PeripheralPerfusionIndex', '%', 0.034, 'peripheral_perfusion_index', 3.4],
    ['AtrialFibrillationBurden', '%', 0.02, 'atrial_fibrillation_burden', 2],
    ['BloodAlcoholContent', '%', 0.0008, 'blood_alcohol_content', 80],
    ['BodyTemperature', 'degF', 98.6, 'body_temperature', 37],
    ['AppleSleepingWristTemperature', 'degC', 35.1, 'skin_temperature', 35.1],
    ['UnderwaterDepth', 'm', 12, 'underwater_depth', 12],
    ['RowingSpeed', 'km/hr', 18, 'speed', 5],
    ['CyclingSpeed', 'm/s', 8, 'speed', 8],
    ['NikeFuel', 'count', 300, 'nike_fuel', 300],
    ['DietaryWater', 'L', 0.5, 'hydration', 500],
    ['VO2Max', 'mL/min·kg', 43.1, 'vo2_max', 43.1],
    ['PhysicalEffort', 'kcal/hr·kg', 1.8, 'physical_effort', 1.8],
    ['ElectrodermalActivity', 'mcS', 4, 'electrodermal_activity', 4],
  ])('converts the type %s in %s by its declared unit', async (identifier, unit, value, series, expected) => {
    const { values, report } = await readElements(record(Q + identifier, unit, value));
    expect(report.rejected.total).toBe(0);
    expect(values).toEqual([[series, expected]]);
  });

  it('keeps the interval and the offset of its date', async () => {
    const { samples } = await readElements(record(`${Q}StepCount`, 'count', 12));
    expect(samples).toMatchObject([
      {
        startMs: Date.UTC(2024, 4, 1, 8),
        durationMs: 60_000,
        offsetMinutes: 120,
        sampleKind: 'sample',
        source: { writer: 'App' },
      },
    ]);
  });

  it('stores a reading at an instant without an interval', async () => {
    const instant = 'startDate="2024-05-01 10:00:00 +0200" endDate="2024-05-01 10:00:00 +0200"';
    expect(
      (await readElements(record(`${Q}HeartRate`, 'count/min', 61, instant))).samples[0]?.durationMs,
    ).toBeUndefined();
  });

  it('uses the zone in its metadata', async () => {
    const zone = '<MetadataEntry key="HKTimeZone" value="America/New_York"/>';
    const { samples } = await readElements(record(`${Q}HeartRate`, 'count/min', 61, undefined, zone));
    expect(samples[0]).toMatchObject({ startMs: Date.UTC(2024, 4, 1, 8), offsetMinutes: -240 });
    const wrong = zone.replace('America/New_York', 'Middle/Earth');
    expect(
      (await readElements(record(`${Q}HeartRate`, 'count/min', 61, undefined, wrong))).samples[0]?.offsetMinutes,
    ).toBe(120);
  });

  it.each([
    ['move time', `${Q}AppleMoveTime`],
    ['a threshold that is not a power', `${Q}CyclingFunctionalThresholdPower`],
    ['nutrients', `${Q}DietaryCaffeine`],
    ['events', 'HKCategoryTypeIdentifierHighHeartRateEvent'],
    ['a goal', 'HKDataTypeSleepDurationGoal'],
    ['a type of a future iOS version', `${Q}Telepathy`],
  ])('counts an item of an unsupported type without rejecting it: %s', async (_, type) => {
    const { report, samples } = await readElements(record(type, 'min', 1).repeat(2));
    expect(samples).toEqual([]);
    expect(report).toMatchObject({ rejected: { total: 0 }, unsupported: { [type]: 2 } });
  });
});

describe('a record that cannot be stored', () => {
  const heartRate = (attributes: string) => `<Record type="${Q}HeartRate" sourceName="App" ${attributes}/>`;
  const dates = (start: string, end: string) => `unit="count/min" value="61" startDate="${start}" endDate="${end}"`;
  const day = '2024-05-01 10:00:00 +0200';

  it.each([
    ['invalid_value', 'value', record(`${Q}HeartRate`, 'count/min', 'fast')],
    ['missing_attribute', 'value', record(`${Q}HeartRate`, 'count/min', '')],
    ['missing_attribute', 'unit', heartRate(`value="61" startDate="${day}" endDate="${day}"`)],
    ['missing_attribute', 'startDate', heartRate(`value="61" unit="count/min" endDate="${day}"`)],
    ['missing_attribute', 'endDate', heartRate(`value="61" unit="count/min" startDate="${day}"`)],
    ['invalid_date', 'startDate', heartRate(dates('yesterday', day))],
    ['invalid_date', 'endDate', heartRate(dates(day, '2024-02-30 10:00:00 +0200'))],
    ['implausible', 'startDate', heartRate(dates('0001-01-01 00:00:00 +0000', day))],
    ['end_before_start', 'endDate', heartRate(dates(day, '2024-05-01 09:59:59 +0200'))],
    ['interval_too_long', 'endDate', heartRate(dates(day, '2024-05-26 10:00:00 +0200'))],
  ])('is rejected as %s of %s without affecting other records', async (code, field, broken) => {
    const good = record(`${Q}HeartRate`, 'count/min', 61);
    const { report, samples } = await readElements(good + broken + good);
    expect(samples).toHaveLength(2);
    expect(report.rejected).toEqual({
      total: 1,
      byReason: { [`${code}:${Q}HeartRate`]: 1 },
      first: [{ kind: 'rejected', collection: 'Record', index: 1, code, field, detail: `${Q}HeartRate` }],
    });
  });

  it('rejects an implausible value with the bound of its series', async () => {
    const { report, samples } = await readElements(
      [14, 15, 350, 351, '1e300'].map((bpm) => record(`${Q}HeartRate`, 'count/min', bpm)).join(''),
    );
    expect(samples.map(({ value }) => value)).toEqual([15, 350]);
    const bound = 'heart_rate 15..350 bpm';
    expect(report.rejected.byReason).toEqual({ [`implausible:${bound}`]: 3 });
    expect(report.rejected.first[0]).toEqual({
      kind: 'rejected',
      collection: 'Record',
      index: 0,
      field: 'value',
      code: 'implausible',
      detail: bound,
    });
  });

  it('names a unit that does not fit the series', async () => {
    const { report } = await readElements(record(`${Q}BodyMass`, 'stone', 10) + record(`${Q}BodyMass`, '%', 10));
    expect(report.rejected.byReason).toEqual({
      [`unknown_unit:${Q}BodyMass:stone`]: 1,
      [`unknown_unit:${Q}BodyMass:%`]: 1,
    });
  });

  it('limits the listed rejections and distinct reasons', async () => {
    const many = Array.from(
      { length: 700 },
      (_, n) => record(`${Q}BodyMass`, `u${n}`, 1) + record(`X${n}`, 'count', 1),
    );
    const { report } = await readElements(many.join(''));
    expect(report.rejected.first).toHaveLength(100);
    expect(Object.keys(report.rejected.byReason)).toHaveLength(501);
    expect(report.rejected.byReason.others).toBe(200);
    expect(Object.keys(report.unsupported)).toHaveLength(101);
    expect(report.unsupported.others).toBe(600);
  });
});

describe('a sleep analysis', () => {
  it.each([
    ['InBed', 'in_bed'],
    ['Asleep', 'sleeping'],
    ['AsleepUnspecified', 'sleeping'],
    ['Awake', 'awake'],
    ['AsleepCore', 'light'],
    ['AsleepDeep', 'deep'],
    ['AsleepREM', 'rem'],
  ])('maps the value %s to the stage %s', async (value, stage) => {
    const { stages } = await readElements(record(SLEEP, '', `HKCategoryValueSleepAnalysis${value}`));
    expect(stages).toMatchObject([
      { stage, startMs: Date.UTC(2024, 4, 1, 8), endMs: Date.UTC(2024, 4, 1, 8, 1), offsetMinutes: 120 },
    ]);
  });

  it('accepts a numeric stage value', async () => {
    const { stages } = await readElements(record(SLEEP, '', 0) + record(SLEEP, '', 5));
    expect(stages.map((one) => one.stage)).toEqual(['in_bed', 'rem']);
  });

  it('uses the offset of its end across a clock change', async () => {
    const night = 'startDate="2026-03-28 23:17:00 +0100" endDate="2026-03-29 07:43:00 +0200"';
    const zone = (name: string) => `<MetadataEntry key="HKTimeZone" value="${name}"/>`;
    const inBed = (inside: string) => record(SLEEP, '', 'HKCategoryValueSleepAnalysisInBed', night, inside);
    const { stages } = await readElements(
      inBed('') + inBed(zone('Europe/Athens')) + inBed(zone('America/Los_Angeles')),
    );
    expect(stages.map(({ offsetMinutes }) => offsetMinutes)).toEqual([120, 180, -420]);
  });

  it('rejects an unknown stage or an empty interval', async () => {
    const instant = 'startDate="2024-05-01 10:00:00 +0200" endDate="2024-05-01 10:00:00 +0200"';
    const { report } = await readElements(
      record(SLEEP, '', 'HKCategoryValueSleepAnalysisFloating') +
        record(SLEEP, '', 'secret') +
        record(SLEEP, '', 'HKCategoryValueSleepAnalysisAwake', instant),
    );
    expect(report.rejected.byReason).toEqual({
      'unknown_sleep_stage:HKCategoryValueSleepAnalysisFloating': 1,
      [`unknown_sleep_stage:${SLEEP}`]: 1,
      [`empty_interval:${SLEEP}`]: 1,
    });
  });
});

it('reads personal data from the element Me', async () => {
  const me = (birth: string, sex: string) =>
    `<Me HKCharacteristicTypeIdentifierDateOfBirth="${birth}" HKCharacteristicTypeIdentifierBiologicalSex="${sex}"/>`;
  expect((await readElements(me('1988-04-12', 'HKBiologicalSexFemale'))).personal).toEqual([
    { kind: 'personal', birthDate: '1988-04-12', gender: 'female' },
  ]);
  expect((await readElements(me('', 'HKBiologicalSexNotSet'))).personal).toEqual([]);
});
