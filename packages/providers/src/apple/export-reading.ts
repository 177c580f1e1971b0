import { type ExportElement, type ExportRecord, parseInstant } from '@healthd/apple-export';
import {
  BatchBuilder,
  type HealthRecord,
  type PersonalRecord,
  type RecordBatch,
  type Rejected,
  ZoneObservations,
} from '@healthd/model';
import { type ElementCounts, noReadCounts } from './export-contents.js';
import { ImportTally } from './import-report.js';
import { RecordMapper } from './record-mapper.js';
import type { Unsupported } from './rejection.js';
import { mapWorkout } from './workout-mapper.js';

const GENDERS: Readonly<Record<string, PersonalRecord['gender']>> = {
  HKBiologicalSexFemale: 'female',
  HKBiologicalSexMale: 'male',
  HKBiologicalSexOther: 'other',
};

/** Reads the `Me` element; undefined if the user entered neither a birth date nor a sex. */
function mapPersonal({ attributes }: ExportElement): PersonalRecord | undefined {
  const birthDate = /^\d{4}-\d\d-\d\d$/.exec(attributes.get('HKCharacteristicTypeIdentifierDateOfBirth') ?? '')?.[0];
  const sex = attributes.get('HKCharacteristicTypeIdentifierBiologicalSex') ?? '';
  const gender = Object.hasOwn(GENDERS, sex) ? GENDERS[sex] : undefined;
  return birthDate === undefined && gender === undefined ? undefined : { kind: 'personal', birthDate, gender };
}

function count(counts: ElementCounts, kind: string): void {
  if (kind === 'rejected') counts.rejected++;
  else if (kind === 'unsupported') counts.notImported++;
  else counts.imported++;
}

/** Element with the export's date. */
export const EXPORT_DATE = 'ExportDate';

/** State of reading one export: counts, and batches that are ready. */
export class ExportReading {
  private readonly observations = new ZoneObservations('apple');
  readonly records = new RecordMapper(this.observations);
  readonly tally = new ImportTally();
  readonly ready: RecordBatch[] = [];
  readonly counts = noReadCounts();
  samples = 0;
  sleepStages = 0;
  workouts = 0;
  exportedAtMs: number | undefined;
  private readonly builder: BatchBuilder;
  private workoutIndex = 0;

  constructor(batchSamples: number) {
    this.builder = new BatchBuilder(batchSamples);
  }

  record(record: ExportRecord): void {
    const item = this.records.map(record);
    count(this.counts.Record, item.kind);
    if (item.kind === 'sample' && item.computed !== undefined) this.counts.usedBeatLists++;
    this.take(item);
  }

  element(element: ExportElement): void {
    if (element.name === 'Workout') {
      this.tally.skipParts(element);
      const items = [...mapWorkout(element, this.workoutIndex++, this.observations)];
      // A workout is stored without its implausible figures, which are rejected.
      count(this.counts.Workout, items.find(({ kind }) => kind === 'workout')?.kind ?? 'rejected');
      for (const item of items) this.take(item);
    } else if (element.name === EXPORT_DATE) {
      this.exportedAtMs = parseInstant(element.attributes.get('value') ?? '')?.ms;
      count(this.counts.ExportDate, this.exportedAtMs === undefined ? 'unsupported' : 'imported');
    } else {
      const personal = mapPersonal(element);
      count(this.counts.Me, personal?.kind ?? 'unsupported');
      if (personal) this.take(personal);
    }
  }

  take(item: HealthRecord | Rejected | Unsupported): void {
    switch (item.kind) {
      case 'rejected':
        this.tally.rejections.add(item);
        return;
      case 'unsupported':
        this.tally.skip(item);
        return;
      case 'sample':
        this.samples++;
        break;
      case 'sleep_stage':
        this.sleepStages++;
        break;
      case 'workout':
        this.workouts++;
        break;
      default:
    }
    this.builder.add(item);
    if (this.builder.full) this.handOn();
  }

  flush(): void {
    if (!this.builder.empty) this.handOn();
  }

  private handOn(): void {
    this.ready.push({ ...this.builder.take(), zones: this.observations.take() });
  }
}
