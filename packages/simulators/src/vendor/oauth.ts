import { type Answer, json } from '../response.js';
import type { AccountList, SimulatedAccount } from './accounts.js';
import type { Call } from './call.js';
import { accessBlocked, backTo, consentPage } from './consent-page.js';
import type { Grant, GrantStore, Grants } from './grants.js';
import { isLoopback } from './loopback.js';
import type { AutomaticConsent, SimulatedClient } from './vendor-core.js';

/** The part of a vendor's state that consent uses. */
interface OAuthState<Issued> {
  readonly client: SimulatedClient;
  readonly accounts: AccountList<SimulatedAccount>;
  readonly autoConsent: boolean;
  readonly consent: AutomaticConsent;
  readonly grants: GrantStore<Issued>;
}

/** Rules in which a vendor's consent flow differs from the flows of other vendors. */
export interface OAuthRules<Issued = Grant> {
  /** Display name. */
  vendor: string;
  /** Scopes that may be requested. */
  scopes: readonly string[];
  /** Returns the stored name of a scope. Undefined if the vendor silently drops the scope. Default: as requested. */
  scopeName?(scope: string): string | undefined;
  /** Separator of scopes; a space by default. */
  separator?: string;
  /** Scopes of a request without scopes. */
  defaultScopes?: readonly string[];
  /** Possible locations of the client's credentials. */
  credentials: readonly ('body' | 'basic')[];
  /** Minimum length of `state`. Default 0. */
  shortestState?: number;
  /** Returns the redirect's error for a request that the vendor rejects. */
  requestError?(query: URLSearchParams): string | undefined;
  /**
   * Returns the name of a scope on the consent page. Undefined for a scope that is granted without a box. Default: the
   * scope itself.
   */
  scopeLabel?(scope: string): string | undefined;
  /** Field name of the scopes' boxes. Default `scope`. */
  field?: 'scope' | 'permission';
  /** Scopes whose boxes the page does not tick. Default: none. */
  untickedScopes?: readonly string[];
  /** Returns additional query parameters of the redirect URL. */
  sentBack?(granted: readonly string[], account: string, query: URLSearchParams): Record<string, string>;
  /**
   * Returns the body of a token response.
   * @param isNew true if a code was exchanged
   */
  tokens(issued: Issued, secondsLeft: number, isNew: boolean): object;
  /** Called after the exchange of a code. */
  onConnected?(issued: Issued): void;
  /** Format of a rejection; default an error of RFC 6749. */
  refusal?(what: 'client' | 'code' | 'refresh_token'): Answer;
}

const REJECTIONS = {
  client: [401, 'invalid_client'],
  code: [400, 'invalid_grant'],
  refresh_token: [400, 'invalid_grant'],
};

/**
 * Handles the authorize page: shows a form or redirects immediately. For a wrong client, URL or state, shows an error
 * page instead of redirecting.
 */
export function authorize<Issued>(
  core: OAuthState<Issued>,
  rules: OAuthRules<Issued>,
  { method, path, query, body }: Call,
): Answer {
  const redirectUri = query.get('redirect_uri') ?? '';
  if (query.get('client_id') !== core.client.id) return accessBlocked('invalid_client');
  if (!isRegistered(core.client, redirectUri)) return accessBlocked('invalid_request: redirect_uri');
  const { shortestState = 0, field = 'scope', untickedScopes = [] } = rules;
  const state = query.get('state') ?? '';
  if (state.length < shortestState) return accessBlocked(`invalid_state: at least ${shortestState} characters`);
  const back = backTo(redirectUri, state);
  if (query.get('response_type') !== 'code') return back({ error: 'unsupported_response_type' });
  const { separator = ' ' } = rules;
  const named = (query.get('scope') ?? '').split(separator).filter(Boolean);
  const storedName = (scope: string) => (rules.scopeName ? rules.scopeName(scope) : scope);
  const { defaultScopes = [], scopeLabel = (scope: string) => scope } = rules;
  const scopes = [...new Set(named.length === 0 ? defaultScopes : named.flatMap((scope) => storedName(scope) ?? []))];
  const error = rules.requestError?.(query);
  if (error !== undefined) return back({ error });
  if (scopes.some((scope) => !rules.scopes.includes(scope))) return back({ error: 'invalid_scope' });
  const form = method === 'POST' ? new URLSearchParams(body) : undefined;
  const account = core.accounts.find(form?.get('account') ?? query.get('login_hint') ?? core.consent.account);
  if (!form && !core.autoConsent) {
    const users = core.accounts
      .all()
      .map((one) => ({ id: one.facts.id, label: one.facts.email, isSelected: one === account }));
    const boxes = scopes.flatMap((value) => {
      const label = scopeLabel(value);
      return label === undefined ? [] : [{ value, label, isUnticked: untickedScopes.includes(value) }];
    });
    return consentPage({ vendor: rules.vendor, action: `${path}?${query}`, users, field, boxes });
  }
  if (!account) return accessBlocked('account not found');
  const decision = form?.get('decision') ?? core.consent.decision ?? 'allow';
  if (decision !== 'allow') return back({ error: 'access_denied' });
  const ticked = (form ? form.getAll(field) : (core.consent.scopes ?? account.ticks ?? scopes)).map(storedName);
  const granted = scopes.filter((scope) => scopeLabel(scope) === undefined || ticked.includes(scope));
  const code = core.grants.consent(account.facts.id, granted, query);
  return back({ code, ...rules.sentBack?.(granted, account.facts.id, query) });
}

function isRegistered({ redirectUris }: SimulatedClient, address: string): boolean {
  return redirectUris ? redirectUris.includes(address) : isLoopback(address);
}

/** Handles the token endpoint. */
export function token<Issued>(core: OAuthState<Issued>, rules: OAuthRules<Issued>, call: Call): Answer {
  const form = new URLSearchParams(call.body);
  const rejection = (what: keyof typeof REJECTIONS) => rules.refusal?.(what) ?? plainRejection(what);
  if (!isClient(core, rules, call, form)) return rejection('client');
  const grantType = form.get('grant_type');
  if (grantType === 'authorization_code') {
    const code = form.get('code') ?? '';
    const grant = core.grants.exchange(code, form.get('redirect_uri'), form.get('code_verifier'));
    if (!grant) return rejection('code');
    rules.onConnected?.(grant);
    return json(200, rules.tokens(grant, core.grants.secondsLeft(grant), true));
  }
  if (grantType !== 'refresh_token') return json(400, { error: 'unsupported_grant_type' });
  const scopes = (form.get('scope') ?? '').split(rules.separator ?? ' ');
  const grant = core.grants.refresh(form.get('refresh_token') ?? '', scopes);
  return grant ? json(200, rules.tokens(grant, core.grants.secondsLeft(grant), false)) : rejection('refresh_token');
}

/**
 * Handles the revocation endpoint. An access or refresh token revokes all grants of the account. An unknown token gets
 * the same response.
 */
export function revoke(core: OAuthState<Grant> & { grants: Grants }, rules: OAuthRules, call: Call): Answer {
  const form = new URLSearchParams(call.body);
  if (!isClient(core, rules, call, form)) return rules.refusal?.('client') ?? plainRejection('client');
  const grant = core.grants.ofToken(form.get('token') ?? '');
  if (grant) core.grants.revoke(grant.account);
  return json(200, {});
}

function isClient(
  core: Pick<OAuthState<unknown>, 'client'>,
  rules: Pick<OAuthRules, 'credentials'>,
  { headers }: Call,
  form: URLSearchParams,
): boolean {
  const { id, secret } = core.client;
  const basic = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  if (rules.credentials.includes('basic') && headers.authorization === basic) return true;
  return rules.credentials.includes('body') && form.get('client_id') === id && form.get('client_secret') === secret;
}

function plainRejection(what: keyof typeof REJECTIONS): Answer {
  const [status, error] = REJECTIONS[what] as [number, string];
  return json(status, { error, error_description: 'The request failed.' });
}
