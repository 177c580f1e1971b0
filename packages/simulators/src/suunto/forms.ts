import { MS_PER_HOUR } from '@healthd/model';
import type { WorkoutFile } from '../fit/index.js';
import type { FormChoices } from '../vendor/index.js';
import type { SuuntoInput, SuuntoSample, SuuntoWorkout } from './wire-types.js';

/** Formats of one account's data. */
export interface SuuntoForms {
  /** Older watches do not detect REM sleep: the member is missing or null. */
  stages: 'all' | 'without_rem' | 'null_rem';
  awake: 'given' | 'missing';
  /** Location of heart rates and altitudes of workouts: in the list, or only in the files. */
  figures: 'listed' | 'in_file';
  files: 'whole' | NonNullable<WorkoutFile['damage']>;
  /** Content of notifications: a whole night, or only its length. */
  messages: 'whole' | 'duration_only';
  /** Freshness of lists: current, or an hour behind the notifications. */
  list: 'current' | 'behind';
}

export const CHOICES: FormChoices<SuuntoForms> = {
  stages: ['all', 'all', 'without_rem', 'null_rem'],
  awake: ['given', 'missing'],
  figures: ['listed', 'in_file'],
  files: ['whole', 'whole', 'truncated', 'wrong_checksum', 'unfinished'],
  messages: ['whole', 'duration_only'],
  list: ['current', 'behind'],
};

/** Delay of a list behind its notifications. */
export const LIST_LAG_MS = MS_PER_HOUR;

/** Members that a night's notification contains in format `duration_only`. */
const SLEEP_IN_MESSAGE = ['BedtimeStart', 'Duration', 'IsNap', 'DateTime'];

/** Returns a message in an account's formats. */
export function notified(message: object, { messages }: SuuntoForms): object {
  if (messages === 'whole' || !('samples' in message) || !('type' in message)) return message;
  if (message.type !== 'SUUNTO_247_SLEEP_CREATED') return message;
  const samples = (message.samples as SuuntoSample[]).map(({ timestamp, entryData }) => ({
    timestamp,
    entryData: {
      SleepId: 0,
      ...Object.fromEntries(SLEEP_IN_MESSAGE.map((name) => [name, entryData[name] ?? null])),
    },
  }));
  return { ...message, samples };
}

/** Returns generated data in the formats of an account. */
export function written(life: SuuntoInput, forms: SuuntoForms): SuuntoInput {
  const { files: damage } = forms;
  const files = Object.entries(life.files ?? {}).map(([key, file]) => [
    key,
    file && damage !== 'whole' ? { ...file, damage } : file,
  ]);
  return {
    ...life,
    sleep: (life.sleep ?? []).map((sample) => writtenSleep(sample, forms)),
    workouts: (life.workouts ?? []).map((workout) => (forms.figures === 'in_file' ? withoutFigures(workout) : workout)),
    files: Object.fromEntries(files) as NonNullable<SuuntoInput['files']>,
  };
}

function writtenSleep({ timestamp, entryData }: SuuntoSample, { stages, awake }: SuuntoForms): SuuntoSample {
  const { REMSleepDuration: rem, WakeAfterSleepOnsetDuration: wake, ...others } = entryData;
  return {
    timestamp,
    entryData: {
      ...others,
      ...(stages !== 'without_rem' && { REMSleepDuration: stages === 'all' ? rem : null }),
      ...(awake === 'given' && wake !== undefined && { WakeAfterSleepOnsetDuration: wake }),
    },
  };
}

function withoutFigures(workout: SuuntoWorkout): SuuntoWorkout {
  const { hrdata: _, minAltitude: __, maxAltitude: ___, ...others } = workout;
  return others as SuuntoWorkout;
}
