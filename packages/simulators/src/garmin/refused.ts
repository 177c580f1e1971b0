import { type Answer, json } from '../answer.js';

/** An error as the vendor words it. */
export function refused(status: number, errorMessage: string): Answer {
  return json(status, { timestamp: new Date().toISOString(), status, errorMessage });
}
