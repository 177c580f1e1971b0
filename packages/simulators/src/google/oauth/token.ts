import { SECONDS_PER_HOUR } from '@healthd/model';
import { type Answer, json } from '../../response.js';
import { type Call, type OAuthRules, token as tokenOf } from '../../vendor/index.js';
import type { Service } from '../service.js';
import type { IssuedTokens } from './grants.js';
import { CLOUD_PLATFORM, grantedName, isIdentityScope, KNOWN_SCOPES } from './scopes.js';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const CHALLENGE = /^[A-Za-z0-9._~-]{43,128}$/;

/** Returns Google's OAuth rules. */
export function oauthRules(service: Service): OAuthRules<IssuedTokens> {
  return {
    vendor: 'Google Health',
    scopes: KNOWN_SCOPES,
    scopeName: grantedName,
    credentials: ['basic', 'body'],
    requestError,
    // Sign-in always grants identity scopes.
    scopeLabel: (scope) => (isIdentityScope(scope) ? undefined : scope.replace(/^.*\/auth\//, '')),
    sentBack: (granted, _account, query) => ({
      scope: granted.join(' '),
      authuser: '0',
      prompt: query.get('prompt') ?? 'none',
    }),
    tokens: (issued, expires_in, isNew) => ({
      access_token: issued.accessToken,
      expires_in,
      refresh_token: issued.refreshToken,
      refresh_token_expires_in: issued.refreshExpiresInSeconds,
      // The vendor does not preserve the requested order.
      scope: [...issued.scopes].sort().join(' '),
      token_type: 'Bearer',
      id_token: isNew ? idToken(service, issued) : undefined,
    }),
  };
}

function requestError(query: URLSearchParams): string | undefined {
  if ((query.get('scope') ?? '').trim() === '') return 'invalid_scope';
  const challenge = query.get('code_challenge');
  if (challenge === null) return undefined;
  const isMethodKnown = ['S256', 'plain'].includes(query.get('code_challenge_method') ?? 'plain');
  return CHALLENGE.test(challenge) && isMethodKnown ? undefined : 'invalid_request';
}

/** Handles the token endpoint: codes, refresh tokens, and assertions of the service account. */
export function token(service: Service, call: Call): Answer {
  if (!String(call.headers['content-type']).startsWith('application/x-www-form-urlencoded')) {
    return oauthError('invalid_request', 'Expected a form.');
  }
  const form = new URLSearchParams(call.body);
  if (form.get('grant_type') === JWT_BEARER) return exchangeAssertion(service, form);
  return tokenOf(service, oauthRules(service), call);
}

/** Returns an error in the format of the token and revocation endpoints. */
export function oauthError(error: string, description: string): Answer {
  return json(400, { error, error_description: description });
}

function exchangeAssertion(service: Service, form: URLSearchParams): Answer {
  const now = [service.clock.nowMs() / 1000, Date.now() / 1000];
  const outcome = service.serviceAccount.check(form.get('assertion') ?? '', service.urls().token, now);
  if (outcome !== 'good') return oauthError(outcome, 'Invalid JWT');
  const { accessToken, expiresInSeconds } = service.grants.issueOperator([CLOUD_PLATFORM]);
  return json(200, { access_token: accessToken, expires_in: expiresInSeconds, token_type: 'Bearer' });
}

function idToken(service: Service, { account: id, scopes }: IssuedTokens): string | undefined {
  if (id === undefined || !scopes.has('openid')) return undefined;
  const { facts, subject } = service.accounts.require(id);
  const iat = Math.floor(service.clock.nowMs() / 1000);
  const withEmail = scopes.has('https://www.googleapis.com/auth/userinfo.email');
  const email = withEmail ? { email: facts.email, email_verified: true } : {};
  const [aud, sub] = [service.client.id, subject];
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
