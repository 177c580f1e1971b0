import { type Answer, json } from '../answer.js';
import { accessBlocked, backTo, type Call, consentPage, isLoopback } from '../vendor/index.js';
import type { Service } from './service.js';
import { PERMISSIONS } from './wire-types.js';

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/**
 * The consent page: a form, or an immediate redirect. Shows an error for a wrong client or URL and never redirects it.
 */
export function authorize(service: Service, { method, path, query, body }: Call): Answer {
  const redirectUri = query.get('redirect_uri') ?? '';
  if (query.get('client_id') !== service.client.id) return accessBlocked('invalid_client');
  if (!isLoopback(redirectUri)) return accessBlocked('invalid_request: redirect_uri');
  const back = backTo(redirectUri, query.get('state') ?? '');
  const challenge = query.get('code_challenge') ?? '';
  if (query.get('code_challenge_method') !== 'S256' || !CHALLENGE.test(challenge)) {
    return back({ error: 'invalid_request' });
  }
  const form = method === 'POST' ? new URLSearchParams(body) : undefined;
  if (!form && !service.autoConsent) return permissionsPage(`${path}?${query}`, service);
  const account = service.account(form?.get('account') ?? query.get('login_hint') ?? service.consent.account);
  if (!account) return accessBlocked('no such account');
  if ((form?.get('decision') ?? service.consent.decision ?? 'allow') !== 'allow')
    return back({ error: 'access_denied' });
  const ticked = form ? form.getAll('permission') : (service.consent.permissions ?? PERMISSIONS);
  account.permissions = PERMISSIONS.filter((name) => (ticked as readonly string[]).includes(name));
  return back({ code: service.grants.consent(account.facts.id, redirectUri, challenge) });
}

/** The token endpoint. Every refresh invalidates the previous pair immediately. */
export function token(service: Service, { body }: Call): Answer {
  const form = new URLSearchParams(body);
  const refused = (error: string, status = 400) => json(status, { error, error_description: 'The request failed.' });
  const { client, grants, clock } = service;
  if (form.get('client_id') !== client.id || form.get('client_secret') !== client.secret) {
    return refused('invalid_client', 401);
  }
  const grantType = form.get('grant_type');
  if (grantType === 'authorization_code') {
    const [code, address, verifier] = ['code', 'redirect_uri', 'code_verifier'].map((name) => form.get(name) ?? '');
    const granted = grants.exchange(code as string, address as string, verifier as string);
    if (!granted) return refused('invalid_grant');
    service.requireAccount(granted.account).connectedMs ??= clock.nowMs();
    return json(200, granted.tokens);
  }
  if (grantType !== 'refresh_token') return refused('unsupported_grant_type');
  const tokens = grants.refresh(form.get('refresh_token') ?? '');
  return tokens ? json(200, tokens) : refused('invalid_grant');
}

/** History is off by default, as on the vendor's page. */
function permissionsPage(action: string, service: Service): Answer {
  const people = service.accounts().map(({ facts }) => ({ id: facts.id, label: facts.id }));
  const boxes = PERMISSIONS.map((value) => ({ value, isUnticked: value === 'HISTORICAL_DATA_EXPORT' }));
  return consentPage({ vendor: 'Garmin', action, people, field: 'permission', boxes });
}
