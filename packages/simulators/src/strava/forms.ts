import { formsOf } from '../forms.js';

/** The vendor's formats for one account. */
export interface StravaForms {
  /** Resource in a 401 for an invalid access token. */
  deadToken: 'Athlete' | 'Application';
  /** Old records contain the local start time instead of an offset. */
  offset: 'given' | 'wall_clock';
}

/** Returns the formats of an account. */
export function stravaForms(account: string): StravaForms {
  const random = formsOf('strava', account);
  return { deadToken: random.pick(['Athlete', 'Application']), offset: random.pick(['given', 'wall_clock']) };
}
