import { type Answer, json } from '../answer.js';
import { accessBlocked, backTo, type Call, consentPage, isLoopback } from '../vendor/index.js';
import type { Service } from './service.js';

export const SCOPES = [
  'offline',
  'read:recovery',
  'read:cycles',
  'read:sleep',
  'read:workout',
  'read:profile',
  'read:body_measurement',
] as const;

const SHORTEST_STATE = 8;

/**
 * The authorize page: a form, or an immediate redirect. Shows an error for a wrong client, URL or state and never
 * redirects it.
 */
export function authorize(service: Service, { method, path, query, body }: Call): Answer {
  const redirectUri = query.get('redirect_uri') ?? '';
  const state = query.get('state') ?? '';
  if (query.get('client_id') !== service.client.id) return accessBlocked('invalid_client');
  if (!isLoopback(redirectUri)) return accessBlocked('invalid_request: redirect_uri');
  if (state.length < SHORTEST_STATE) return accessBlocked('invalid_state: at least 8 characters');
  const back = backTo(redirectUri, state);
  const scopes = (query.get('scope') ?? '').split(' ').filter(Boolean);
  if (scopes.some((scope) => !(SCOPES as readonly string[]).includes(scope))) return back({ error: 'invalid_scope' });
  const form = method === 'POST' ? new URLSearchParams(body) : undefined;
  if (!form && !service.autoConsent) {
    const people = service.accounts().map(({ facts }) => ({ id: facts.id, label: facts.email }));
    const boxes = scopes.map((value) => ({ value }));
    return consentPage({ vendor: 'WHOOP', action: `${path}?${query}`, people, field: 'scope', boxes });
  }
  const account = service.account(form?.get('account') ?? query.get('login_hint') ?? service.consent.account);
  if (!account) return accessBlocked('no such account');
  const decision = form?.get('decision') ?? service.consent.decision ?? 'allow';
  if (decision !== 'allow') return back({ error: 'access_denied' });
  const ticked = form ? form.getAll('scope') : (service.consent.scopes ?? scopes);
  const granted = scopes.filter((scope) => ticked.includes(scope));
  return back({ code: service.grants.consent(account.facts.id, granted, redirectUri), scope: granted.join(' ') });
}

/** The token endpoint. Every refresh invalidates the previous pair immediately. */
export function token(service: Service, { body }: Call): Answer {
  const form = new URLSearchParams(body);
  const refused = (error: string, status = 400) => json(status, { error, error_description: 'The request failed.' });
  const { client, grants } = service;
  if (form.get('client_id') !== client.id || form.get('client_secret') !== client.secret) {
    return refused('invalid_client', 401);
  }
  const grantType = form.get('grant_type');
  if (grantType === 'authorization_code') {
    const pair = grants.exchange(form.get('code') ?? '', form.get('redirect_uri') ?? '');
    return pair ? json(200, pair) : refused('invalid_grant');
  }
  if (grantType !== 'refresh_token') return refused('unsupported_grant_type');
  const offline = (form.get('scope') ?? '').split(' ').includes('offline');
  const pair = grants.refresh(form.get('refresh_token') ?? '', offline);
  return pair ? json(200, pair) : refused('invalid_grant');
}
