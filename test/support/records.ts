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

/** Invented sources that tests choose between. */
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

/** One sample of the watch unless said otherwise. `start` is ISO 8601 with its zone. */
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

/** Samples of the given values, one every `everyMinutes` from `start`. */
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

/** A stage of the watch, in UTC unless said otherwise. `from` and `to` are ISO 8601 with their zone. */
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

/** Ten kilometres of the watch, in the evening of 10 March 2026 unless said otherwise. */
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
