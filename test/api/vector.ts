import { type HealthRecord, MS_PER_MINUTE, type SleepSessionRecord, type SleepStage } from '@healthd/model';
import { GARMIN, WATCH } from '../support/records.js';

/** Returns a sleep session that a vendor assembled. */
export function session(start: string, end: string, facts: Partial<SleepSessionRecord> = {}): HealthRecord {
  return {
    kind: 'sleep_session',
    source: GARMIN,
    startMs: Date.parse(start),
    endMs: Date.parse(end),
    isNap: false,
    ...facts,
  };
}

/** Returns consecutive stages, each with an optional pause in minutes before it. */
export function stages(
  start: string,
  ...parts: [stage: SleepStage, minutes: number, pause?: number][]
): HealthRecord[] {
  let startMs = Date.parse(start);
  return parts.map(([stage, minutes, pause = 0]) => {
    startMs += pause * MS_PER_MINUTE;
    const endMs = startMs + minutes * MS_PER_MINUTE;
    const record = { kind: 'sleep_stage', source: WATCH, stage, startMs, endMs, offsetMinutes: 0 } as const;
    startMs = endMs;
    return record;
  });
}

/** One numbered example: stored data, the request, and the expected parts of the response. */
export interface Vector {
  vector: string;
  says: string;
  records: HealthRecord[];
  path: string;
  expected: object;
}

/** Returns the numbered example. */
export function vector(
  number: number | string,
  says: string,
  records: HealthRecord[],
  path: string,
  expected: object,
): Vector {
  return { vector: String(number), says, records, path, expected };
}
