import type { VendorError } from '@healthd/providers';

/**
 * Reason why a consent did not become a connection. `error` is stable and `message` is fixed: a vendor's own text never
 * leaves the service.
 */
export interface ConsentProblem {
  error: string;
  message: string;
  /**
   * HTTP status of the response if there is no page to return to. If undefined, users are redirected to the error page.
   */
  status?: 400 | 409 | 503;
}

const PROBLEMS = {
  missing_parameters: { error: 'invalid_request', message: 'Missing OAuth parameters' },
  invalid_state: { error: 'invalid_state', message: 'Invalid or expired state parameter', status: 400 },
  wrong_browser: {
    error: 'wrong_browser',
    message: 'The consent was started in another browser. Open the link again in this browser',
    status: 400,
  },
  provider_mismatch: { error: 'invalid_state', message: 'Provider mismatch in state', status: 400 },
  access_denied: { error: 'access_denied', message: 'Access was denied' },
  nothing_granted: {
    error: 'nothing_granted',
    message:
      'No access to health data was granted. Connect again and select at least one data type, such as activity, health metrics, nutrition or sleep',
  },
  invalid_scope: { error: 'invalid_scope', message: 'The provider does not support the requested scope' },
  admin_policy_enforced: { error: 'admin_policy_enforced', message: 'An administrator does not allow access' },
  org_internal: { error: 'org_internal', message: 'The provider only allows accounts of its organization' },
  disallowed_useragent: { error: 'disallowed_useragent', message: 'The provider needs a full browser' },
  temporarily_unavailable: { error: 'temporarily_unavailable', message: 'The provider is not available at the moment' },
  provider_error: { error: 'provider_error', message: 'The provider did not grant access' },
  code_refused: { error: 'invalid_grant', message: 'Failed to exchange authorization code', status: 400 },
  unavailable: {
    error: 'temporarily_unavailable',
    message: 'Token exchange failed: the provider did not respond. Start again',
    status: 503,
  },
  consents_missing: {
    error: 'consents_missing',
    message:
      'The provider requires further consents before it shares data. Accept them in the account settings at the provider, then connect again',
    status: 409,
  },
  operator: {
    error: 'server_error',
    message: 'Token exchange failed: the provider rejected this service. The server log has the reason',
    status: 503,
  },
  user_gone: { error: 'invalid_state', message: 'The user was deleted during the consent', status: 400 },
  ended_meanwhile: {
    error: 'consent_ended',
    message: 'The access to this account was revoked during the consent. Connect again',
    status: 409,
  },
  link_used: {
    error: 'link_used',
    message: 'The link was already used for this provider, or was revoked',
    status: 409,
  },
  link_revoked: { error: 'link_revoked', message: 'The link was revoked during the consent', status: 409 },
  disabled: { error: 'provider_disabled', message: 'The provider is disabled', status: 409 },
} as const satisfies Record<string, ConsentProblem>;
export type ConsentProblemName = keyof typeof PROBLEMS;

const DEFAULT_ERROR_MESSAGE = 'OAuth authentication failed';

export function consentProblem(name: ConsentProblemName): ConsentProblem {
  return PROBLEMS[name];
}

/** Maps the `error` of a vendor's redirect to a problem. */
export function problemOfVendor(error: string): ConsentProblem {
  if (error === 'server_error') return PROBLEMS.temporarily_unavailable;
  const known = Object.entries(PROBLEMS).find(([name]) => name === error);
  return known?.[1] ?? PROBLEMS.provider_error;
}

/** Maps a failed code exchange to a problem. */
export function problemOfExchange(error: VendorError): ConsentProblem {
  if (error.code === 'unauthorized') return PROBLEMS.code_refused;
  return error.isTransient || error.code === 'invalid_answer' ? PROBLEMS.unavailable : PROBLEMS.operator;
}

/** Maps a missing account identity to a problem, for vendors whose data cannot be read without it. */
export function problemOfIdentity(error: VendorError | undefined): ConsentProblem {
  if (error?.code === 'unauthorized') return PROBLEMS.ended_meanwhile;
  return error?.code === 'scope_missing' ? PROBLEMS.consents_missing : PROBLEMS.unavailable;
}

/** Returns the message only if it is our own, so that a forged URL cannot put text on the error page. */
export function knownMessage(message: string | undefined): string {
  const known = Object.values(PROBLEMS).some((problem) => problem.message === message);
  return known && message !== undefined ? message : DEFAULT_ERROR_MESSAGE;
}
