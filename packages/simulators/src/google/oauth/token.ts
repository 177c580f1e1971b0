import { createHash } from 'node:crypto';
import { SECONDS_PER_HOUR } from '@healthd/model';
import { type Answer, json } from '../../answer.js';
import type { Call } from '../exchange.js';
import type { Service } from '../service.js';
import type { CodeRequest, IssuedTokens } from './grants.js';
import { CLOUD_PLATFORM } from './scopes.js';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** The token endpoint: codes, refresh tokens, and assertions of the service account. */
export function token(service: Service, call: Call): Answer {
  if (!String(call.headers['content-type']).startsWith('application/x-www-form-urlencoded')) {
    return oauthError(400, 'invalid_request', 'A form is needed.');
  }
  const form = new URLSearchParams(call.body);
  const grantType = form.get('grant_type');
  if (grantType === JWT_BEARER) return exchangeAssertion(service, form);
  if (!clientIsKnown(service, call, form)) return oauthError(401, 'invalid_client', 'The OAuth client was not found.');
  if (grantType === 'authorization_code') return exchangeCode(service, form);
  if (grantType === 'refresh_token') return exchangeRefreshToken(service, form);
  if (grantType === null) return oauthError(400, 'invalid_request', 'Required parameter is missing: grant_type');
  return oauthError(400, 'unsupported_grant_type', `Invalid grant_type: ${grantType}`);
}

/** The error body of the token and revocation endpoints. */
export function oauthError(status: number, error: string, description: string): Answer {
  return json(status, { error, error_description: description });
}

function clientIsKnown(service: Service, call: Call, form: URLSearchParams): boolean {
  const basic = /^Basic (.+)$/.exec(call.headers.authorization ?? '')?.[1];
  const given = basic
    ? Buffer.from(basic, 'base64').toString()
    : `${form.get('client_id') ?? ''}:${form.get('client_secret') ?? ''}`;
  return given === `${service.client.id}:${service.client.secret}`;
}

function exchangeCode(service: Service, form: URLSearchParams): Answer {
  const [code, redirectUri] = [form.get('code'), form.get('redirect_uri')];
  if (code === null || redirectUri === null) return oauthError(400, 'invalid_request', 'A parameter is missing.');
  const request = service.grants.takeCode(code);
  if (!request) return oauthError(400, 'invalid_grant', 'Malformed auth code.');
  if (request.redirectUri !== redirectUri) return oauthError(400, 'redirect_uri_mismatch', 'Bad Request');
  if (!provesChallenge(request.challenge, form.get('code_verifier'))) {
    return oauthError(400, 'invalid_grant', 'Invalid code verifier.');
  }
  const issued = service.grants.issue(request);
  return json(200, { ...tokenBody(issued), id_token: idToken(service, issued) });
}

function exchangeRefreshToken(service: Service, form: URLSearchParams): Answer {
  const refreshToken = form.get('refresh_token');
  if (refreshToken === null) return oauthError(400, 'invalid_request', 'A parameter is missing.');
  const issued = service.grants.renew(refreshToken, service.behaviour.rotateRefreshTokens);
  if (!issued) return oauthError(400, 'invalid_grant', 'Token has been expired or revoked.');
  return json(200, tokenBody(issued));
}

function exchangeAssertion(service: Service, form: URLSearchParams): Answer {
  const now = [service.clock.nowMs() / 1000, Date.now() / 1000];
  const outcome = service.serviceAccount.check(form.get('assertion') ?? '', service.urls().token, now);
  if (outcome !== 'good') return oauthError(400, outcome, 'Invalid JWT');
  const { accessToken, expiresInSeconds } = service.grants.issueOperator([CLOUD_PLATFORM]);
  return json(200, { access_token: accessToken, expires_in: expiresInSeconds, token_type: 'Bearer' });
}

function tokenBody(issued: IssuedTokens) {
  return {
    access_token: issued.accessToken,
    expires_in: issued.expiresInSeconds,
    refresh_token: issued.refreshToken,
    refresh_token_expires_in: issued.refreshExpiresInSeconds,
    // The vendor does not keep the order of the request.
    scope: [...issued.scopes].sort().join(' '),
    token_type: 'Bearer',
  };
}

function provesChallenge(challenge: CodeRequest['challenge'], verifier: string | null): boolean {
  if (!challenge) return true;
  if (verifier === null) return false;
  if (challenge.method === 'plain') return verifier === challenge.value;
  return createHash('sha256').update(verifier).digest('base64url') === challenge.value;
}

function idToken(service: Service, { account: id, scopes }: IssuedTokens): string | undefined {
  if (id === undefined || !scopes.has('openid')) return undefined;
  const account = service.accounts.get(id);
  const iat = Math.floor(service.clock.nowMs() / 1000);
  const withEmail = scopes.has('https://www.googleapis.com/auth/userinfo.email');
  const email = withEmail ? { email: account.email, email_verified: true } : {};
  const [aud, sub] = [service.client.id, account.subject];
  return service.idTokens.sign({
    iss: 'https://accounts.google.com',
    azp: aud,
    aud,
    sub,
    ...email,
    iat,
    exp: iat + SECONDS_PER_HOUR,
  });
}
