import { describe, expect, it } from 'vitest';
import { read } from '../testing/read.js';

const START = 1_746_824_400;
const at = (from: number, to: number) => ({ startTimeInSeconds: START + from, endTimeInSeconds: START + to });
const sleepLevelsMap = {
  deep: [at(600, 1_200), at(3_000, 3_600)],
  light: [at(0, 600), at(1_800, 3_000)],
  rem: [at(1_200, 1_800)],
  awake: [at(3_600, 3_900)],
};
const begin = {
  userId: 'd3315b10',
  summaryId: 'x-1',
  calendarDate: '2025-05-10',
  startTimeInSeconds: START,
  startTimeOffsetInSeconds: 7_200,
  validation: 'ENHANCED_FINAL',
};
const members = {
  deepSleepDurationInSeconds: 1_200,
  lightSleepDurationInSeconds: 1_800,
  remSleepInSeconds: 600,
  awakeDurationInSeconds: 300,
};
const nightOf = (item: object) => read('sleeps', { ...begin, ...item }).nights[0];

describe('a night', () => {
  const whole = {
    asleepSeconds: 3_600,
    deepSeconds: 1_200,
    lightSeconds: 1_800,
    remSeconds: 600,
    awakeSeconds: 300,
    inBedSeconds: 3_900,
  };

  it('sums all figures from the levels if duration members are missing', () => {
    const night = nightOf({ sleepLevelsMap });
    expect(night).toMatchObject(whole);
    expect(night!.endMs - night!.startMs).toBe(3_900_000);
  });

  it.each(Object.keys(members))('takes the sum of a missing %s from the levels', (member) => {
    expect(nightOf({ ...members, [member]: undefined, durationInSeconds: 3_600, sleepLevelsMap })).toMatchObject(whole);
  });

  it('prefers the duration members to the levels', () => {
    expect(nightOf({ ...members, remSleepInSeconds: 660, sleepLevelsMap })).toMatchObject({
      remSeconds: 660,
      asleepSeconds: 3_660,
    });
  });

  it('keeps the time asleep unknown when a part is missing everywhere', () => {
    const night = nightOf({ ...members, remSleepInSeconds: undefined });
    expect(night).toMatchObject({ deepSeconds: 1_200, lightSeconds: 1_800 });
    expect(night?.asleepSeconds).toBeUndefined();
    expect(night?.remSeconds).toBeUndefined();
  });

  it("uses the night's length as time asleep if a part is missing", () => {
    expect(nightOf({ ...members, remSleepInSeconds: undefined, durationInSeconds: 3_600 })).toMatchObject({
      asleepSeconds: 3_600,
      inBedSeconds: 3_900,
    });
  });

  it("uses the night's length as time asleep if stages are 0 s", () => {
    const zeros = { deepSleepDurationInSeconds: 0, lightSleepDurationInSeconds: 0, remSleepInSeconds: 0 };
    const night = nightOf({ ...zeros, awakeDurationInSeconds: 300, durationInSeconds: 3_600 });
    expect(night).toMatchObject({ asleepSeconds: 3_600, inBedSeconds: 3_900, awakeSeconds: 300 });
    expect([night?.deepSeconds, night?.lightSeconds, night?.remSeconds]).toEqual([undefined, undefined, undefined]);
  });

  it('leaves time in bed and efficiency unknown without awake time', () => {
    const night = nightOf({ ...members, awakeDurationInSeconds: undefined, durationInSeconds: 3_600 });
    expect(night).toMatchObject({ asleepSeconds: 3_600, endMs: (START + 3_600) * 1_000 });
    expect([night?.awakeSeconds, night?.inBedSeconds, night?.efficiencyPercent]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('ends with its last level if the sums are shorter', () => {
    const map = { ...sleepLevelsMap, awake: [at(3_600, 5_000)] };
    expect(nightOf({ ...members, sleepLevelsMap: map })).toMatchObject({ ...whole, endMs: (START + 5_000) * 1_000 });
  });

  it('counts unmeasurable time only as time in bed', () => {
    const map = { ...sleepLevelsMap, unmeasurable: [at(3_900, 4_500)] };
    expect(nightOf({ sleepLevelsMap: map })).toMatchObject({ ...whole, inBedSeconds: 4_500 });
  });

  it('subtracts awake time if the length includes it', () => {
    expect(nightOf({ ...members, remSleepInSeconds: undefined, durationInSeconds: 3_300 })).toMatchObject({
      asleepSeconds: 3_000,
      inBedSeconds: 3_300,
    });
  });
});
