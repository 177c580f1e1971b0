import type { FormChoices } from '../vendor/index.js';
import type { OuraInput } from './wire-types.js';

/** Formats of one account's documents. */
export interface OuraForms {
  /** Value of `type` in nights: the actual type, or null. */
  type: 'given' | 'null';
  /** Figures of sleep: all, all but the total, or only the stage string. */
  sums: 'all' | 'without_total' | 'phases';
  /** Format of stress: measured values, or zeros for days without measurements. */
  stress: 'measured' | 'zeros';
  /** Names of the granted scopes in the redirect URL. */
  scopes: 'prefixed' | 'bare';
  /** Status of a request without the scope. */
  missingScope: 401 | 403;
}

export const CHOICES: FormChoices<OuraForms> = {
  type: ['given', 'null'],
  sums: ['all', 'without_total', 'phases'],
  stress: ['measured', 'measured', 'zeros'],
  scopes: ['prefixed', 'bare'],
  missingScope: [401, 403],
};

const SUMS = ['deep_sleep_duration', 'light_sleep_duration', 'rem_sleep_duration', 'awake_time'] as const;

/** Returns generated data in the formats of an account. */
export function written(life: OuraInput, { type, sums, stress }: OuraForms): OuraInput {
  const missing = {
    ...(sums !== 'all' && { total_sleep_duration: null }),
    ...(sums === 'phases' && Object.fromEntries(SUMS.map((name) => [name, null]))),
  };
  return {
    ...life,
    sleep: (life.sleep ?? []).map((one) => ({
      ...one,
      ...missing,
      ...(type === 'null' && one.type === 'long_sleep' && { type: null }),
    })),
    daily_stress: (life.daily_stress ?? []).map((one) =>
      stress === 'zeros' ? { ...one, stress_high: 0, recovery_high: 0, day_summary: null } : one,
    ),
  };
}
