import { randomBytes } from 'node:crypto';
import { type Answer, json } from '../response.js';

export const NO_CONTENT: Answer = { status: 204, headers: {}, body: '' };

/** Returns an error in the vendor's format. */
export function failure(status: number, errorType: string, message: string): Answer {
  const corrId = randomBytes(3).toString('hex');
  return json(status, { timestamp: new Date().toISOString(), status, errorType, message, corrId });
}
