import { describe, expect, it } from 'vitest';
import { readElements } from './testing/read-elements.js';
import { ACTIVITY_NAMES, workoutType } from './workout-types.js';

const DATES = 'startDate="2024-05-01 10:00:00 +0200" endDate="2024-05-01 11:00:00 +0200"';

function workout(activity: string, inside = '', attributes = 'duration="55" durationUnit="min"'): string {
  return `<Workout workoutActivityType="HKWorkoutActivityType${activity}" ${attributes} sourceName="App" ${DATES}>${inside}</Workout>`;
}
const statistic = (type: string, figures: string, unit: string) =>
  `<WorkoutStatistics type="HKQuantityTypeIdentifier${type}" ${DATES} ${figures} unit="${unit}"/>`;
const metadata = (key: string, value: string) => `<MetadataEntry key="${key}" value="${value}"/>`;

async function one(xml: string) {
  const { workouts, report, ...rest } = await readElements(xml);
  expect(report.rejected.total).toBe(0);
  expect(workouts).toHaveLength(1);
  return { workout: workouts[0]!, ...rest };
}

describe('a workout of the export', () => {
  it('converts the figures of its statistics by their units', async () => {
    const { workout: run } = await one(
      workout(
        'Running',
        statistic('HeartRate', 'average="151.2" minimum="98" maximum="178"', 'count/min') +
          statistic('ActiveEnergyBurned', 'sum="2092"', 'kJ') +
          statistic('BasalEnergyBurned', 'sum="70"', 'kcal') +
          statistic('DistanceWalkingRunning', 'sum="6"', 'mi') +
          statistic('StepCount', 'sum="8800"', 'count') +
          statistic('RunningSpeed', 'average="10.8" maximum="14.4"', 'km/hr') +
          statistic('RunningPower', 'average="240" maximum="310"', 'W') +
          metadata('HKElevationAscended', '5480 cm') +
          metadata('HKIndoorWorkout', '0'),
      ),
    );
    expect(run).toMatchObject({
      type: 'running',
      startMs: Date.UTC(2024, 4, 1, 8),
      endMs: Date.UTC(2024, 4, 1, 9),
      offsetMinutes: 120,
      durationSeconds: 3300,
      movingSeconds: 3300,
      heartRateAvg: 151.2,
      heartRateMin: 98,
      heartRateMax: 178,
      caloriesKcal: 500,
      basalCaloriesKcal: 70,
      totalCaloriesKcal: 570,
      stepsCount: 8800,
      averageWatts: 240,
      maxWatts: 310,
      indoor: false,
    });
    expect(run.distanceMeters).toBeCloseTo(9656.064, 6);
    expect(run.averageSpeed).toBeCloseTo(3, 9);
    expect(run.maxSpeed).toBeCloseTo(4, 9);
    expect(run.elevationGainMeters).toBeCloseTo(54.8, 9);
    expect(run.externalId).toBeUndefined();
  });

  it("uses the activity's distance, otherwise the longest distance", async () => {
    const distances =
      statistic('DistanceWalkingRunning', 'sum="2"', 'km') + statistic('DistanceSwimming', 'sum="1500"', 'm');
    expect((await one(workout('Swimming', distances))).workout.distanceMeters).toBe(1500);
    expect((await one(workout('Other', distances))).workout.distanceMeters).toBe(2000);
  });

  it('reads totals of workouts from before iOS 16', async () => {
    const old =
      'duration="0.5" durationUnit="hr" totalDistance="3" totalDistanceUnit="mi" totalEnergyBurned="1000" totalEnergyBurnedUnit="kJ" totalSwimmingStrokeCount="40" totalSwimmingStrokeCountUnit="count"';
    const { workout: walk } = await one(workout('Walking', '', old));
    expect(walk).toMatchObject({ durationSeconds: 1800, metadata: { swimming_stroke_count: 40 } });
    expect(walk.caloriesKcal).toBeCloseTo(239.005736, 6);
    expect(walk.distanceMeters).toBeCloseTo(4828.032, 6);
    const both = await one(workout('Walking', statistic('ActiveEnergyBurned', 'sum="200"', 'kcal'), old));
    expect(both.workout.caloriesKcal).toBe(200);
  });

  it('reads durations without a unit as minutes', async () => {
    const lap = '<WorkoutEvent type="HKWorkoutEventTypeLap" date="2024-05-01 10:20:00 +0200" duration="2"/>';
    const { workout: ride } = await one(workout('Cycling', lap, 'duration="30"'));
    expect(ride).toMatchObject({ durationSeconds: 1800, movingSeconds: 1800, events: [{ durationSeconds: 120 }] });
  });

  it('derives the type from the location', async () => {
    const typeOf = async (activity: string, key: string, value: string) =>
      (await one(workout(activity, metadata(key, value)))).workout.type;
    expect(await typeOf('Running', 'HKIndoorWorkout', '1')).toBe('treadmill');
    expect(await typeOf('Cycling', 'HKIndoorWorkout', '1')).toBe('indoor_cycling');
    expect(await typeOf('Rowing', 'HKIndoorWorkout', '1')).toBe('rowing_machine');
    expect(await typeOf('Yoga', 'HKIndoorWorkout', '1')).toBe('yoga');
    expect(await typeOf('Swimming', 'HKSwimmingLocationType', '1')).toBe('pool_swimming');
    expect(await typeOf('Swimming', 'HKSwimmingLocationType', '2')).toBe('open_water_swimming');
  });

  it('maps each activity to the most specific type, otherwise to other', () => {
    expect(ACTIVITY_NAMES).toHaveLength(84);
    expect(workoutType('Wrestling')).toBe('wrestling');
    expect(workoutType('Gymnastics')).toBe('gymnastics');
    expect(workoutType('SkatingSports')).toBe('skating');
    expect(workoutType('Other')).toBe('generic');
    expect(workoutType('MoonWalking')).toBe('other');
  });

  it('accepts an activity number', async () => {
    expect((await one(workout('Running').replace('HKWorkoutActivityTypeRunning', '13'))).workout.type).toBe('cycling');
  });

  it('keeps pauses, triathlon parts, identity and the manual-entry mark', async () => {
    const { workout: race } = await one(
      workout(
        'SwimBikeRun',
        '<WorkoutEvent type="HKWorkoutEventTypePause" date="2024-05-01 10:10:00 +0200"/>' +
          '<WorkoutEvent type="HKWorkoutEventTypeLap" date="2024-05-01 10:20:00 +0200" duration="2" durationUnit="min"/>' +
          '<WorkoutEvent type="HKWorkoutEventTypeNew" date="2024-05-01 10:20:00 +0200"/>' +
          `<WorkoutActivity uuid="1" startDate="2024-05-01 10:00:00 +0200" endDate="2024-05-01 10:20:00 +0200" duration="20" durationUnit="min">${statistic('DistanceSwimming', 'sum="750"', 'm')}</WorkoutActivity>` +
          '<WorkoutActivity uuid="2" startDate="2024-05-01 10:20:00 +0200" endDate="2024-05-01 10:22:00 +0200"/>' +
          metadata('HKMetadataKeySyncIdentifier', 'race-1') +
          metadata('HKWasUserEntered', '1'),
      ),
    );
    expect(race).toMatchObject({ type: 'triathlon', externalId: 'race-1', userEntered: true });
    expect(race.events).toEqual([
      { type: 'pause', startMs: Date.UTC(2024, 4, 1, 8, 10), durationSeconds: undefined },
      { type: 'lap', startMs: Date.UTC(2024, 4, 1, 8, 20), durationSeconds: 120 },
    ]);
    expect(race.activities).toMatchObject([
      { type: 'swimming', distanceMeters: 750, durationSeconds: 1200 },
      { type: 'transition', endMs: Date.UTC(2024, 4, 1, 8, 22) },
    ]);
  });

  it('timestamps weather and effort at its end', async () => {
    const { values, samples } = await one(
      workout(
        'Running',
        statistic('ActiveEnergyBurned', 'sum="500"', 'kcal') +
          metadata('HKAverageMETs', '6.2 kcal/hr·kg') +
          metadata('HKWeatherTemperature', '68 degF') +
          metadata('HKWeatherHumidity', '5600 %'),
      ),
    );
    expect(values).toEqual([
      ['average_met', 6.2],
      ['weather_temperature', 20],
      ['weather_humidity', 56],
    ]);
    expect(samples.every((one) => one.startMs === Date.UTC(2024, 4, 1, 9) && one.sampleKind === 'aggregate')).toBe(
      true,
    );
  });

  it('uses the zone in its metadata', async () => {
    const { workout: run } = await one(workout('Running', metadata('HKTimeZone', 'Asia/Tokyo')));
    expect(run).toMatchObject({
      startMs: Date.UTC(2024, 4, 1, 8),
      offsetMinutes: 540,
      metadata: { time_zone: 'Asia/Tokyo' },
    });
  });

  it('rejects a workout with invalid times or without an activity', async () => {
    const { report, workouts } = await readElements(
      workout('Running').replace(/endDate="[^"]*"/, 'endDate="2024-05-01 09:00:00 +0200"') +
        workout('Running').replace(/startDate="[^"]*"/, 'startDate="soon"') +
        workout('Running').replace(/workoutActivityType="[^"]*"/, '') +
        workout('Running').replace(/startDate="([^"]*)" endDate="[^"]*"/, 'startDate="$1" endDate="$1"'),
    );
    expect(workouts).toEqual([]);
    expect(report.rejected.first.map(({ index, code, field }) => [index, code, field])).toEqual([
      [0, 'end_before_start', 'endDate'],
      [1, 'invalid_date', 'startDate'],
      [2, 'missing_attribute', 'workoutActivityType'],
      [3, 'empty_interval', 'endDate'],
    ]);
  });
});
