import { type Answer, json } from '../answer.js';

/** Returns an error with the vendor's wording. */
export function refused(status: number, errorMessage: string): Answer {
  return json(status, { timestamp: new Date().toISOString(), status, errorMessage });
}
