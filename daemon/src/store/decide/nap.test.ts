import { SECONDS_PER_HOUR } from '@healthd/model';
import { describe, expect, it } from 'vitest';
import { isNap, type NapCandidate, nightDaysOf } from './nap.js';

function sleep(from: string, to: string, hours?: number, offsetMinutes = 0): NapCandidate {
  return {
    startMs: Date.parse(from),
    endMs: Date.parse(to),
    asleepSeconds: hours === undefined ? undefined : hours * SECONDS_PER_HOUR,
    offsetMinutes,
  };
}

const NIGHT = sleep('2026-03-09T22:00Z', '2026-03-10T06:00Z', 7.5);
const AFTERNOON = sleep('2026-03-10T14:00Z', '2026-03-10T15:00Z', 0.9);

describe('a nap', () => {
  it('is short daytime sleep in addition to a night', () => {
    expect(isNap(AFTERNOON, nightDaysOf([NIGHT, AFTERNOON]))).toBe(true);
  });

  it("is not a night worker's only sleep", () => {
    expect(isNap(AFTERNOON, nightDaysOf([AFTERNOON]))).toBe(false);
  });

  it('lasts less than three hours outside of the night', () => {
    expect(isNap({ ...AFTERNOON, asleepSeconds: 3 * SECONDS_PER_HOUR }, nightDaysOf([NIGHT]))).toBe(false);
    expect(isNap(sleep('2026-03-10T20:00Z', '2026-03-10T21:00Z', 0.9), nightDaysOf([NIGHT]))).toBe(false);
  });

  it('has its middle between 09:00 and 20:00 inclusive', () => {
    const around = (time: string) => {
      const middleMs = Date.parse(`2026-03-10T${time}Z`);
      return { startMs: middleMs - 1_800_000, endMs: middleMs + 1_800_000, asleepSeconds: 3000, offsetMinutes: 0 };
    };
    const times = ['08:59:59', '09:00:00', '14:00:00', '20:00:00', '20:00:01'];
    expect(times.map((time) => isNap(around(time), nightDaysOf([NIGHT])))).toEqual([false, true, true, true, false]);
  });

  it('requires sleep data for both the nap and the night', () => {
    const inBed = (session: NapCandidate): NapCandidate => ({ ...session, asleepSeconds: undefined });
    expect(isNap(inBed(AFTERNOON), nightDaysOf([NIGHT]))).toBe(false);
    expect(isNap(AFTERNOON, nightDaysOf([inBed(NIGHT)]))).toBe(false);
  });

  it("is classified by the sleeper's local time", () => {
    const pacific = sleep('2026-03-10T22:00Z', '2026-03-10T23:00Z', 0.9, -480);
    expect(isNap(pacific, nightDaysOf([sleep('2026-03-10T07:00Z', '2026-03-10T14:00Z', 6.5, -480)]))).toBe(true);
    expect(isNap({ ...pacific, offsetMinutes: 0 }, nightDaysOf([NIGHT]))).toBe(false);
  });

  it('needs a night on its own date or the date before', () => {
    const dayBefore = sleep('2026-03-08T22:00Z', '2026-03-09T06:00Z', 7.5);
    const older = sleep('2026-03-07T22:00Z', '2026-03-08T06:00Z', 7.5);
    expect(isNap(AFTERNOON, nightDaysOf([dayBefore]))).toBe(true);
    expect(isNap(AFTERNOON, nightDaysOf([older]))).toBe(false);
  });
});
