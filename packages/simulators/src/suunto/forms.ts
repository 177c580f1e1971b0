import type { WorkoutFile } from '../fit/index.js';
import type { FormChoices } from '../vendor/index.js';
import type { SuuntoInput, SuuntoSample, SuuntoWorkout } from './wire-types.js';

/** The forms in which the vendor writes the data of one account. */
export interface SuuntoForms {
  /** Older watches know no REM sleep. */
  stages: 'all' | 'without_rem';
  awake: 'given' | 'missing';
  /** Whether the list has heart rates and altitudes of workouts, or their files alone. */
  figures: 'listed' | 'in_file';
  files: 'whole' | NonNullable<WorkoutFile['damage']>;
}

export const CHOICES: FormChoices<SuuntoForms> = {
  stages: ['all', 'all', 'without_rem'],
  awake: ['given', 'missing'],
  figures: ['listed', 'in_file'],
  files: ['whole', 'whole', 'truncated', 'wrong_checksum', 'unfinished'],
};

/** A made-up life in the forms of an account. */
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
      ...(stages === 'all' && { REMSleepDuration: rem }),
      ...(awake === 'given' && wake !== undefined && { WakeAfterSleepOnsetDuration: wake }),
    },
  };
}

function withoutFigures(workout: SuuntoWorkout): SuuntoWorkout {
  const { hrdata: _, minAltitude: __, maxAltitude: ___, ...others } = workout;
  return others as SuuntoWorkout;
}
