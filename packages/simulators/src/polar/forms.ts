import { formsOf } from '../forms.js';
import type { Random } from '../random.js';
import type { PolarDated } from './wire-types.js';

/** Formats of a night. */
const NIGHT_FORMS = [
  /** Sums and a hypnogram. */
  'whole',
  /** Sums without a hypnogram. */
  'sums',
  /** A hypnogram without sums. */
  'hypnogram',
  /** One sum is missing, but the hypnogram contains it. */
  'missing_sum',
  /** One sum is missing, and there is no hypnogram. */
  'lost_sum',
  /** All seconds are in the unrecognized stage. */
  'unrecognized',
  /** All seconds are in the unrecognized stage, in the sums and in the hypnogram. */
  'unrecognized_hypnogram',
] as const;
export type PolarNightForm = (typeof NIGHT_FORMS)[number];

const POLAR_DEVICES = [
  'Polar Vantage V3',
  'Polar Model Of Tomorrow',
  'Polar Verity Sense',
  'Polar H9',
  'Polar H10',
  'Polar OH1',
] as const;

/** The vendor's formats for one account. */
export interface PolarForms {
  /** Format of about half of the account's nights. The other nights are complete. */
  night: PolarNightForm;
  device: string;
  /** Response for a range without continuous heart rates. */
  withoutHeartRates: 'empty' | 'not_found';
  /** Response for a range of one day with heart rates. */
  dayOfHeartRates: 'wrapped' | 'bare';
  /** Some devices store no recharge readings, only their means. */
  recharge: 'readings' | 'means';
}

/** Returns the formats of an account. */
export function polarForms(account: string): PolarForms {
  const random = formsOf('polar', account);
  return {
    night: random.pick(NIGHT_FORMS),
    device: random.pick(POLAR_DEVICES),
    withoutHeartRates: random.pick(['empty', 'not_found']),
    dayOfHeartRates: random.pick(['wrapped', 'bare']),
    recharge: random.pick(['readings', 'readings', 'readings', 'means']),
  };
}

/** Seconds of a night that a client must store; undefined if the night's format does not contain them. */
export interface TrueNightSeconds {
  asleep: number | undefined;
  awake: number;
  light: number | undefined;
  deep: number | undefined;
  rem: number | undefined;
}

/** Writes a complete night in another format. @returns the night, and the figures that it still contains */
export function nightIn(
  form: PolarNightForm,
  whole: PolarDated,
  truth: TrueNightSeconds,
  random: Random,
): { sleep: PolarDated; truth: TrueNightSeconds } {
  const unknown = { light: undefined, deep: undefined, rem: undefined };
  const { asleep } = truth;
  switch (form) {
    case 'whole':
      return { sleep: whole, truth };
    case 'sums':
      return { sleep: { ...whole, hypnogram: null }, truth };
    case 'hypnogram':
      return {
        sleep: { ...whole, light_sleep: null, deep_sleep: null, rem_sleep: null, total_interruption_duration: null },
        truth,
      };
    case 'missing_sum':
      return { sleep: { ...whole, [`${random.pick(['light', 'deep', 'rem'])}_sleep`]: null }, truth };
    case 'lost_sum': {
      const stage = random.pick(['light', 'deep', 'rem']);
      const sleep = { ...whole, [`${stage}_sleep`]: null, hypnogram: null };
      return { sleep, truth: { ...truth, [stage]: undefined, asleep: undefined } };
    }
    case 'unrecognized':
    case 'unrecognized_hypnogram': {
      const zeros = { light_sleep: 0, deep_sleep: 0, rem_sleep: 0, unrecognized_sleep_stage: asleep };
      const [first] = Object.keys(whole.hypnogram as object);
      const hypnogram = form === 'unrecognized' ? null : { [first ?? '00:00']: 5 };
      return { sleep: { ...whole, ...zeros, hypnogram }, truth: { ...truth, ...unknown } };
    }
  }
}
