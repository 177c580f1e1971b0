import {
  type HealthRecord,
  type HealthScoreRecord,
  type MenstrualCycleRecord,
  type RejectionReport,
  type SampleRecord,
  type SleepSessionRecord,
  seriesTypeById,
  type WorkoutRecord,
} from '@healthd/model';
import { type DeliveredRecords, Tally } from '../../cloud/index.js';
import { GARMIN_DELIVERIES } from '../deliveries.js';

/** Records of one list's items. */
export interface Read {
  items: (DeliveredRecords | undefined)[];
  samples: (SampleRecord & { code: string | undefined })[];
  nights: SleepSessionRecord[];
  workouts: WorkoutRecord[];
  scores: HealthScoreRecord[];
  cycles: MenstrualCycleRecord[];
  rejections: RejectionReport;
  noValue: number;
  superseded: number;
}

/** Reads items of one summary type. */
export function read(dataType: string, ...items: unknown[]): Read {
  const tally = new Tally(dataType);
  const found = items.map((item) => GARMIN_DELIVERIES.records(dataType, item, tally));
  const records = found.flatMap((item) => item?.records ?? []);
  return {
    items: found,
    samples: ofKind(records, 'sample').map((sample) => ({ ...sample, code: seriesTypeById(sample.typeId)?.code })),
    nights: ofKind(records, 'sleep_session'),
    workouts: ofKind(records, 'workout'),
    scores: ofKind(records, 'health_score'),
    cycles: ofKind(records, 'menstrual_cycle'),
    rejections: tally.rejections,
    noValue: tally.noValue,
    superseded: tally.superseded,
  };
}

function ofKind<Kind extends HealthRecord['kind']>(records: readonly HealthRecord[], kind: Kind) {
  return records.filter((record): record is HealthRecord & { kind: Kind } => record.kind === kind);
}
