import type { Call } from '../../support/service.js';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** Sends the login form. */
export function logIn(call: Call, username: string, password: string) {
  return call('POST', '/api/v1/auth/login', new URLSearchParams({ username, password }).toString(), FORM);
}
