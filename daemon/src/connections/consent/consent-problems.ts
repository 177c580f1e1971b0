import type { VendorError } from '@healthd/providers';

/**
 * Why a consent did not become a connection. `error` is stable, `message` fixed: what a vendor writes in its own words never
 * leaves the service.
 */
export interface ConsentProblem {
  error: string;
  message: string;
  /** Answered where there is no page to go back to; undefined sends people to the page for errors. */
  status?: 400 | 409 | 503;
}

const PROBLEMS = {
  missing_parameters: { error: 'invalid_request', message: 'Missing OAuth parameters' },
  invalid_state: { error: 'invalid_state', message: 'Invalid or expired state parameter', status: 400 },
  wrong_browser: {
    error: 'wrong_browser',
    message: 'The consent was begun in another browser. Open the link again in this browser and begin there',
    status: 400,
  },
  provider_mismatch: { error: 'invalid_state', message: 'Provider mismatch in state', status: 400 },
  access_denied: { error: 'access_denied', message: 'Access was denied' },
  nothing_granted: {
    error: 'nothing_granted',
    message:
      'No access to health data was granted. Connect again and tick at least one kind of data, such as activity, health metrics, nutrition or sleep',
  },
  invalid_scope: { error: 'invalid_scope', message: 'The provider does not know what was asked for' },
  admin_policy_enforced: { error: 'admin_policy_enforced', message: 'An administrator does not allow the access' },
  org_internal: { error: 'org_internal', message: 'The provider allows accounts of its own organisation only' },
  disallowed_useragent: { error: 'disallowed_useragent', message: 'The provider needs a full browser' },
  temporarily_unavailable: { error: 'temporarily_unavailable', message: 'The provider is not available at the moment' },
  provider_error: { error: 'provider_error', message: 'The provider did not grant access' },
  code_refused: { error: 'invalid_grant', message: 'Failed to exchange authorization code', status: 400 },
  unavailable: {
    error: 'temporarily_unavailable',
    message: 'Token exchange failed: the provider did not answer; start again',
    status: 503,
  },
  consents_missing: {
    error: 'consents_missing',
    message:
      'The provider needs further consents before it gives data to others. Give them in the settings of the account at the provider, then connect again',
    status: 409,
  },
  operator: {
    error: 'server_error',
    message: 'Token exchange failed: the provider refused this service; whoever runs it finds the reason in its log',
    status: 503,
  },
  user_gone: { error: 'invalid_state', message: 'The user was deleted meanwhile', status: 400 },
  ended_meanwhile: {
    error: 'consent_ended',
    message: 'The access to this account was ended while it was connected. Connect again',
    status: 409,
  },
  link_used: { error: 'link_used', message: 'The link was used for this provider already, or was ended', status: 409 },
  link_revoked: { error: 'link_revoked', message: 'The link was ended meanwhile', status: 409 },
  disabled: { error: 'provider_disabled', message: 'The provider is disabled', status: 409 },
} as const satisfies Record<string, ConsentProblem>;
export type ConsentProblemName = keyof typeof PROBLEMS;

const DEFAULT_ERROR_MESSAGE = 'OAuth authentication failed';

export function consentProblem(name: ConsentProblemName): ConsentProblem {
  return PROBLEMS[name];
}

/** What the `error` that a vendor sent a person back with means. */
export function problemOfVendor(error: string): ConsentProblem {
  if (error === 'server_error') return PROBLEMS.temporarily_unavailable;
  const known = Object.entries(PROBLEMS).find(([name]) => name === error);
  return known?.[1] ?? PROBLEMS.provider_error;
}

/** What the failed exchange of a code means. */
export function problemOfExchange(error: VendorError): ConsentProblem {
  if (error.code === 'unauthorized') return PROBLEMS.code_refused;
  return error.passes || error.code === 'invalid_answer' ? PROBLEMS.unavailable : PROBLEMS.operator;
}

/** What it means that a vendor does not say whose account it is, where nothing can be read without that. */
export function problemOfIdentity(error: VendorError | undefined): ConsentProblem {
  if (error?.code === 'unauthorized') return PROBLEMS.ended_meanwhile;
  return error?.code === 'scope_missing' ? PROBLEMS.consents_missing : PROBLEMS.unavailable;
}

/** A message as the page for errors may show it: one of ours, so that no one can put words on the page. */
export function knownMessage(message: string | undefined): string {
  const known = Object.values(PROBLEMS).some((problem) => problem.message === message);
  return known && message !== undefined ? message : DEFAULT_ERROR_MESSAGE;
}
