import {
  type HealthRecord,
  localDayNumber,
  NO_OFFSET,
  type RecordBatch,
  type ReplacementRecord,
  SAMPLE_KIND_CODE,
  type SampleKind,
  type SampleRecord,
  type SleepSessionRecord,
  sourceKey,
  type WorkoutRecord,
} from '@healthd/model';

const KINDS = Object.keys(SAMPLE_KIND_CODE) as SampleKind[];

/** Returns a batch's samples as records. */
export function samplesOf({ samples, sources }: RecordBatch): SampleRecord[] {
  return Array.from({ length: samples.length }, (_, row): SampleRecord => {
    const durationMs = samples.durationMs[row] as number;
    const offset = samples.offsetMinutes[row] as number;
    return {
      kind: 'sample',
      source: sources[samples.sourceIndex[row] as number]!,
      typeId: samples.typeId[row] as number,
      sampleKind: KINDS[samples.kind[row] as number]!,
      startMs: samples.startMs[row] as number,
      durationMs: Number.isNaN(durationMs) ? undefined : durationMs,
      offsetMinutes: offset === NO_OFFSET ? undefined : offset,
      value: samples.value[row] as number,
      extremes: samples.extremes?.get(row),
    };
  });
}

type Session = SleepSessionRecord | WorkoutRecord;

/** Applies a user's batches and their replacements in order. */
export class Held {
  samples: SampleRecord[] = [];
  sessions: Session[] = [];

  store(batch: RecordBatch): void {
    const replaced = batch.records.filter((record): record is ReplacementRecord => record.kind === 'replacement');
    const fresh = samplesOf(batch);
    const keys = new Set(fresh.map(keyOf));
    this.samples = this.samples.filter(
      (sample) => !keys.has(keyOf(sample)) && !replaced.some((one) => concernsSample(one, sample)),
    );
    this.samples.push(...new Map(fresh.map((sample) => [keyOf(sample), sample])).values());
    const sessions = batch.records.filter(isSession);
    const names = new Set(sessions.map(nameOf));
    this.sessions = this.sessions.filter(
      (session) => !names.has(nameOf(session)) && !replaced.some((one) => concernsSession(one, session)),
    );
    this.sessions.push(...sessions);
  }
}

function concernsSample(one: ReplacementRecord, sample: SampleRecord): boolean {
  const { typeId, startMs, sampleKind, offsetMinutes = 0 } = sample;
  if (one.of !== 'samples' || !one.typeIds.includes(typeId)) return false;
  const day = localDayNumber(startMs, offsetMinutes);
  if (one.localDays && (day < one.localDays.firstDay || day >= one.localDays.endDay)) return false;
  return startMs >= one.startMs && startMs < one.endMs && (one.sampleKinds?.includes(sampleKind) ?? true);
}

function concernsSession(one: ReplacementRecord, { kind, startMs }: Session): boolean {
  const of = kind === 'workout' ? 'workouts' : 'sleep_sessions';
  return one.of === of && startMs >= one.startMs && startMs < one.endMs;
}

function isSession(record: HealthRecord): record is Session {
  return record.kind === 'sleep_session' || record.kind === 'workout';
}

function keyOf({ typeId, startMs, sampleKind, source }: SampleRecord): string {
  return `${typeId} ${startMs} ${sampleKind} ${sourceKey(source)}`;
}

function nameOf({ kind, source, externalId, startMs }: Session): string {
  return `${kind} ${sourceKey(source)} ${externalId ?? startMs}`;
}
