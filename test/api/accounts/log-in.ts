import type { Call } from '../../support/service.js';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** Sends the login form. A service that trusts its proxy uses `address` as the client's IP address. */
export function logIn(call: Call, username: string, password: string, address?: string) {
  const form = new URLSearchParams({ username, password }).toString();
  return call('POST', '/api/v1/auth/login', form, { ...FORM, ...(address && { 'X-Forwarded-For': address }) });
}
