import {
  MS_PER_MINUTE,
  type SampleKind,
  type SampleRecord,
  type SeriesCode,
  type SleepStageRecord,
  type SourceIdentity,
  seriesTypeByCode,
  type WorkoutRecord,
} from '@healthd/model';

/** Generated sources for tests. */
export const WATCH: SourceIdentity = {
  provider: 'apple',
  deviceModel: 'Watch6,2',
  writer: 'com.example.health',
  deviceType: 'watch',
};
export const PHONE: SourceIdentity = {
  provider: 'apple',
  deviceModel: 'iPhone15,2',
  writer: 'com.example.health',
  deviceType: 'phone',
};
export const GARMIN: SourceIdentity = { provider: 'garmin', deviceModel: 'Garmin fenix 7', deviceType: 'watch' };

export interface SampleFacts {
  source?: SourceIdentity;
  minutes?: number;
  offsetMinutes?: number;
  kind?: SampleKind;
}

/** Returns one sample, from the watch by default. `start` is ISO 8601 with its zone. */
export function sample(code: SeriesCode, start: string, value: number, facts: SampleFacts = {}): SampleRecord {
  const { source = WATCH, minutes, offsetMinutes, kind = 'sample' } = facts;
  return {
    kind: 'sample',
    source,
    typeId: seriesTypeByCode(code).id,
    startMs: Date.parse(start),
    durationMs: minutes === undefined ? undefined : minutes * MS_PER_MINUTE,
    offsetMinutes,
    value,
    sampleKind: kind,
  };
}

/** Returns samples with these values, one every `everyMinutes` from `start`. */
export function samplesEvery(
  code: SeriesCode,
  start: string,
  everyMinutes: number,
  values: readonly number[],
  facts: SampleFacts = {},
): SampleRecord[] {
  const startMs = Date.parse(start);
  return values.map((value, index) =>
    sample(code, new Date(startMs + index * everyMinutes * MS_PER_MINUTE).toISOString(), value, facts),
  );
}

/** Returns a stage, from the watch and in UTC by default. `from` and `to` are ISO 8601 with their zone. */
export function sleepStage(
  stage: SleepStageRecord['stage'],
  from: string,
  to: string,
  facts: Partial<SleepStageRecord> = {},
): SleepStageRecord {
  return {
    kind: 'sleep_stage',
    source: WATCH,
    stage,
    offsetMinutes: 0,
    startMs: Date.parse(from),
    endMs: Date.parse(to),
    ...facts,
  };
}

/** Returns a 10 km run of the watch, on the evening of 10 March 2026 by default. */
export function run(facts: Partial<WorkoutRecord> = {}): WorkoutRecord {
  return {
    kind: 'workout',
    source: WATCH,
    type: 'running',
    distanceMeters: 10_000,
    offsetMinutes: 60,
    startMs: Date.parse('2026-03-10T17:00Z'),
    endMs: Date.parse('2026-03-10T18:00Z'),
    ...facts,
  };
}
