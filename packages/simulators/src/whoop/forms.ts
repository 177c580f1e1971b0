import { formsOf } from '../forms.js';

/** The vendor's formats for one account. */
export interface WhoopForms {
  /** Time in bed may be longer than the sleep's end minus its start. */
  inBed: 'span' | 'longer';
  /** Some recoveries contain their cycle and no sleep. */
  recovery: 'sleep' | 'cycle';
  /** A stage may have no sum, so that the time asleep is unknown. */
  stages: 'whole' | 'missing_sum';
}

/** Returns the formats of an account. */
export function whoopForms(account: string): WhoopForms {
  const random = formsOf('whoop', account);
  return {
    inBed: random.pick(['span', 'longer']),
    recovery: random.pick(['sleep', 'cycle']),
    stages: random.pick(['whole', 'missing_sum']),
  };
}
