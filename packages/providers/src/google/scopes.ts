const BASE = 'https://www.googleapis.com/auth/googlehealth.';

/** Scopes that a user grants one by one. All are read-only. */
export const SCOPES = {
  activity: `${BASE}activity_and_fitness.readonly`,
  health: `${BASE}health_metrics_and_measurements.readonly`,
  nutrition: `${BASE}nutrition.readonly`,
  sleep: `${BASE}sleep.readonly`,
  settings: `${BASE}settings.readonly`,
} as const;

/** Default scopes. */
export const DEFAULT_SCOPE = ['openid', 'email', ...Object.values(SCOPES)].join(' ');
