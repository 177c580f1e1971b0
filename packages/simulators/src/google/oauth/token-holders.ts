import { type Answer, json } from '../../response.js';
import { bearer, type Call } from '../../vendor/index.js';
import { tokenRejection } from '../api-failure.js';
import type { Service } from '../service.js';
import { CLOUD_PLATFORM } from './scopes.js';
import { oauthError } from './token.js';

/** Revokes the grant of an access or refresh token and notifies the user's subscribers with DELETE. */
export function revoke(service: Service, call: Call): Answer {
  const token = new URLSearchParams(call.body).get('token') ?? call.query.get('token') ?? '';
  const grant = service.grants.revokeToken(token);
  if (!grant) return oauthError('invalid_token', 'Token expired or revoked');
  service.notifier.consentEnded(grant);
  return json(200, {});
}

/** Returns the OIDC user info. */
export function userInfo(service: Service, call: Call): Answer {
  const opened = service.grants.opened(bearer(call));
  if (!opened?.grant) return tokenRejection();
  const { facts, subject } = service.accounts.require(opened.grant.account);
  const withEmail = opened.scopes.has('https://www.googleapis.com/auth/userinfo.email');
  const email = withEmail ? { email: facts.email, email_verified: true } : {};
  return json(200, { sub: subject, ...email });
}

/**
 * Emulates a virtual machine's metadata server. Returns its service account's token if the request has the required
 * header.
 */
export function metadata(service: Service, call: Call): Answer {
  const flavor = { 'metadata-flavor': 'Google' };
  if (call.headers['metadata-flavor'] !== 'Google')
    return json(403, { error: 'Missing Metadata-Flavor:Google header.' }, flavor);
  if (call.path === '/computeMetadata/v1/project/project-id') {
    return { status: 200, headers: { ...flavor, 'content-type': 'application/text' }, body: service.projectId };
  }
  if (!/^\/computeMetadata\/v1\/instance\/service-accounts\/default\/token$/.test(call.path)) {
    return json(200, {}, flavor);
  }
  const { accessToken, expiresInSeconds } = service.grants.issueOperator([CLOUD_PLATFORM]);
  return json(200, { access_token: accessToken, expires_in: expiresInSeconds, token_type: 'Bearer' }, flavor);
}
