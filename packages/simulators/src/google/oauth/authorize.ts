import { type Answer, redirect } from '../../answer.js';
import { accessBlocked, consentPage, isLoopback } from '../../vendor/index.js';
import type { Account } from '../accounts.js';
import type { Call } from '../exchange.js';
import type { Service } from '../service.js';
import type { CodeRequest } from './grants.js';
import { isIdentityScope, requestedScopes } from './scopes.js';

/** The authorize page: a consent form, or a redirect immediately. Wrong client or address is shown and never redirected. */
export function authorize(service: Service, call: Call): Answer {
  const { query } = call;
  const redirectUri = query.get('redirect_uri') ?? '';
  if (query.get('client_id') !== service.client.id) return refusal(401, 'invalid_client');
  if (!isRegistered(redirectUri, service.client.redirectUris)) return refusal(400, 'redirect_uri_mismatch');
  const back = (members: Record<string, string>) => redirect(withQuery(redirectUri, query.get('state'), members));

  if (query.get('response_type') !== 'code') return back({ error: 'invalid_request' });
  const scopes = requestedScopes(query.get('scope') ?? '');
  if (!scopes) return back({ error: 'invalid_scope' });
  const challenge = requestedChallenge(query);
  if (challenge === 'wrong') return back({ error: 'invalid_request' });
  const hint = query.get('login_hint') ?? service.consent.account;
  const hinted = hint === undefined || hint === '' ? undefined : service.accounts.hinted(hint);
  const form = call.method === 'POST' ? new URLSearchParams(call.body) : undefined;
  if (!form && !service.autoConsent) {
    const people = service.accounts.all().map(({ id, email }) => ({ id, label: email, isSelected: id === hinted?.id }));
    const boxes = scopes
      .filter((scope) => !isIdentityScope(scope))
      .map((value) => ({ value, label: value.replace(/^.*\/auth\//, '') }));
    return consentPage({ action: `${call.path}?${query}`, people, field: 'scope', boxes });
  }

  const account = form ? service.accounts.hinted(form.get('account') ?? '') : (hinted ?? service.accounts.all()[0]);
  if (!account) return refusal(400, 'no such account');
  const denied = form ? form.get('decision') !== 'allow' : service.consent.decision === 'deny';
  if (denied) return back({ error: 'access_denied' });
  const granted = scopes.filter((scope) => isIdentityScope(scope) || isTicked(scope, service, account, form));
  const request: CodeRequest = {
    clientId: service.client.id,
    redirectUri,
    scopes: granted,
    offline: query.get('access_type') === 'offline',
    prompted: (query.get('prompt') ?? '').split(' ').includes('consent'),
    challenge,
  };
  const code = service.grants.consent(account.id, request, query.get('include_granted_scopes') === 'true');
  return back({ code, scope: granted.join(' '), authuser: '0', prompt: query.get('prompt') ?? 'none' });
}

function isTicked(scope: string, service: Service, account: Account, form: URLSearchParams | undefined): boolean {
  if (form) return form.getAll('scope').includes(scope);
  const ticked = service.consent.scopes ?? account.grants;
  return ticked === undefined || ticked.includes(scope);
}

function isRegistered(uri: string, registered: readonly string[] | undefined): boolean {
  if (registered) return registered.includes(uri);
  return isLoopback(uri);
}

function requestedChallenge(query: URLSearchParams): CodeRequest['challenge'] | 'wrong' {
  const value = query.get('code_challenge');
  if (value === null) return undefined;
  const method = query.get('code_challenge_method') ?? 'plain';
  const wellFormed = /^[A-Za-z0-9._~-]{43,128}$/.test(value) && (method === 'S256' || method === 'plain');
  return wellFormed ? { value, method } : 'wrong';
}

function withQuery(uri: string, state: string | null, members: Record<string, string>): string {
  const url = new URL(uri);
  if (state !== null) url.searchParams.set('state', state);
  for (const [name, value] of Object.entries(members)) url.searchParams.set(name, value);
  return url.href;
}

function refusal(status: number, error: string): Answer {
  return accessBlocked(`Error ${status}: ${error}`, status);
}
