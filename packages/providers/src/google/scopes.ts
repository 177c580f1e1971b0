const BASE = 'https://www.googleapis.com/auth/googlehealth.';

/** Groups of data that a person consents to one by one; all of them read-only. */
export const SCOPES = {
  activity: `${BASE}activity_and_fitness.readonly`,
  health: `${BASE}health_metrics_and_measurements.readonly`,
  nutrition: `${BASE}nutrition.readonly`,
  sleep: `${BASE}sleep.readonly`,
  settings: `${BASE}settings.readonly`,
} as const;

/** What is requested unless the operator sets another scope. */
export const DEFAULT_SCOPE = ['openid', 'email', ...Object.values(SCOPES)].join(' ');
