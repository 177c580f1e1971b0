import { formsOf } from '../forms.js';

/** How the vendor writes one account. */
export interface StravaForms {
  /** The resource that a 401 about a dead access token names. */
  deadToken: 'Athlete' | 'Application';
  /** Old records have the wall clock of their start instead of an offset. */
  offset: 'given' | 'wall_clock';
}

/** The forms of an account. */
export function stravaForms(account: string): StravaForms {
  const random = formsOf('strava', account);
  return { deadToken: random.pick(['Athlete', 'Application']), offset: random.pick(['given', 'wall_clock']) };
}
