import {
  type SampleKind,
  type SampleRecord,
  type SeriesCode,
  type SourceIdentity,
  seriesTypeByCode,
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
    durationMs: minutes === undefined ? undefined : minutes * 60_000,
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
    sample(code, new Date(startMs + index * everyMinutes * 60_000).toISOString(), value, facts),
  );
}
