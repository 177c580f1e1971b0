import { type Answer, json } from '../response.js';

/** Returns the body of an error in the vendor's format. */
export function errorBody(status: number, errorMessage: string): object {
  return { timestamp: new Date().toISOString(), status, errorMessage };
}

/** Returns an error with the vendor's wording. */
export function rejectedResponse(status: number, errorMessage: string): Answer {
  return json(status, errorBody(status, errorMessage));
}
