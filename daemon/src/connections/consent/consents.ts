import type { ProviderId } from '@healthd/model';
import { type GrantedTokens, VendorError } from '@healthd/providers';
import type pg from 'pg';
import type { Logger } from 'pino';
import { Failure } from '../../platform/failures.js';
import type { ConfiguredCloud } from '../connections.js';
import type { ConnectionParts } from '../create-connections.js';
import type { ConnectLinks } from '../links/connect-links.js';
import type { Connection, Establishment } from '../store/connection.js';
import { missingConsent } from '../store/connection-response.js';
import { consentedTypes, grantsNothing, namedScopes, scopesIn } from '../store/granted.js';
import { type Identified, identify } from '../store/identity.js';
import { pullBlockerText } from '../store/unusable.js';
import { ConsentFlow, type ConsentVendor, type HttpExchange } from './consent-flow.js';
import {
  type ConsentProblem,
  consentProblem,
  problemOfExchange,
  problemOfIdentity,
  problemOfVendor,
} from './consent-problems.js';
import type { ConsentState, ConsentStates, NewConsent } from './consent-states.js';
import { allowedRedirect, listedRedirect, type RedirectRules } from './redirect-allowlist.js';

export interface ConsentsOptions {
  connections: ConnectionParts;
  states: ConsentStates;
  links: ConnectLinks;
  rules: RedirectRules;
  log: Pick<Logger, 'warn' | 'info'>;
}

/** The request with which a vendor redirects a user back. */
export interface ConsentCallback extends HttpExchange {
  code?: string | undefined;
  state?: string | undefined;
  error?: string | undefined;
  /** Granted scopes, if the vendor reports them here. */
  scope?: string | undefined;
}

/** Options of an application for starting a consent. */
export interface ConsentStart {
  redirectUri?: string | undefined;
  /** True to return a service URL that binds the consent to the browser that opens it. */
  bindsBrowser?: boolean;
  /** True if the consent is started without a credential. The operator must then have listed the redirect URL. */
  isPublic?: boolean;
}

/** Outcome of a consent, and where the user goes next. */
export type ConsentOutcome = {
  user?: { id: string; userKey: number };
  redirectUri?: string | undefined;
  /** Set if a link started the consent; the user returns to its page. */
  link?: ConsentState['link'];
} & ConsentEnd;
type ConsentEnd = { connection: Connection } | { problem: ConsentProblem };

/** Timeout of the vendor's account request; the user waits for it. */
const IDENTIFY_TIMEOUT_MS = 15_000;

/** Handles consents from the consent page's URL to the stored connection. */
export class Consents {
  private readonly flow: ConsentFlow;

  constructor(private readonly options: ConsentsOptions) {
    this.flow = new ConsentFlow(options.states, options.rules.apiBaseUrl);
  }

  /**
   * Returns the URL at which a user starts a consent.
   * @throws Failure `bad_request` (no OAuth), `conflict` (not configured, disabled), `unprocessable` (redirect_uri)
   */
  async authorize(
    user: NewConsent['user'],
    provider: ProviderId,
    { redirectUri: requestedUri, bindsBrowser = false, isPublic = false }: ConsentStart,
    exchange: HttpExchange,
  ): Promise<{ authorization_url: string; state: string }> {
    const { rules, states } = this.options;
    let redirectUri = requestedUri;
    if (isPublic) redirectUri = listedRedirect(requestedUri, rules);
    else if (requestedUri !== undefined) redirectUri = allowedRedirect(requestedUri, rules);
    const vendor = await this.usable(provider);
    const consent = { provider, user, redirectUri, link: undefined };
    if (!bindsBrowser) {
      const address = await this.flow.address(vendor, { ...consent, browser: undefined }, exchange);
      return { authorization_url: address, state: new URL(address).searchParams.get('state') ?? '' };
    }
    const state = await states.prepare(consent);
    const start = `${rules.apiBaseUrl}/api/v1/oauth/${provider}/start?${new URLSearchParams({ state })}`;
    return { authorization_url: start, state };
  }

  /** Redirects the browser of a link's page to the vendor. @throws Failure as {@link Consents.authorize} */
  async redirect(
    user: NewConsent['user'],
    provider: ProviderId,
    { link, browser }: { link: NewConsent['link']; browser: string },
    exchange: HttpExchange,
  ): Promise<void> {
    const vendor = await this.usable(provider);
    await this.flow.redirect(vendor, { provider, user, redirectUri: undefined, link, browser }, exchange);
  }

  /**
   * Redirects the browser that opened the URL of {@link Consents.authorize} to the vendor, once. Binds the consent to
   * this browser.
   * @throws Failure as {@link Consents.authorize}, and `bad_request` if the state is invalid
   */
  async start(provider: ProviderId, state: string, browser: string, exchange: HttpExchange): Promise<void> {
    const vendor = await this.usable(provider);
    await this.flow.redirect(vendor, { prepared: state, provider, browser }, exchange);
  }

  /** Completes a consent. Consumes the state before any other check. @param browser secret of the returning browser */
  async complete(
    provider: ProviderId,
    response: ConsentCallback,
    browser: string | undefined,
  ): Promise<ConsentOutcome> {
    if (response.state === undefined) {
      return { problem: response.error ? problemOfVendor(response.error) : consentProblem('missing_parameters') };
    }
    const state = await this.options.states.consume(response.request, response.state, browser);
    // Never exchanges another browser's code, and reveals nothing about the link or the application.
    if ('problem' in state) return { ...state, problem: consentProblem(state.problem) };
    if (state.provider !== provider) return { problem: consentProblem('provider_mismatch'), user: state.user };
    const { user, redirectUri, link } = state;
    const end = await (link ? this.connectByLink(link.id, state, response) : this.connect(state, response));
    return { user, redirectUri, link, ...end };
  }

  /** Claims the link's provider before the code is exchanged, and releases it if no connection results. */
  private async connectByLink(linkId: string, state: ConsentState, response: ConsentCallback): Promise<ConsentEnd> {
    const { links, connections } = this.options;
    const { provider } = state;
    if (!(await links.claim(linkId, provider))) {
      return (await links.holds(linkId))
        ? { problem: consentProblem('link_used') }
        : this.refuse(linkId, state, response);
    }
    let error = 'server_error';
    try {
      const end = await this.connect(state, response);
      if ('connection' in end) {
        const { missing_data_types } = missingConsent(end.connection, connections.configurationOf(provider));
        const { accountState } = end.connection;
        await links.settle(linkId, provider, { missingDataTypes: missing_data_types, accountState });
        return end;
      }
      error = end.problem.error;
      return end;
    } finally {
      // Does nothing if the claim is already settled.
      await links.settle(linkId, provider, { error });
    }
  }

  /** Exchanges the code of a revoked link, because only the tokens can revoke the vendor's grant. */
  private async refuse(linkId: string, state: ConsentState, response: ConsentCallback): Promise<ConsentEnd> {
    const end = await this.connect(state, response);
    if ('problem' in end) await this.options.links.recordRejected(linkId, state.provider, end.problem.error);
    return end;
  }

  private async connect(state: ConsentState, response: ConsentCallback): Promise<ConsentEnd> {
    const { connections, log } = this.options;
    const { provider } = state;
    const { code, error, scope: sentBack } = response;
    if (error !== undefined) return { problem: problemOfVendor(error) };
    if (code === undefined) return { problem: consentProblem('missing_parameters') };
    const configured = connections.configurationOf(provider);
    if (!configured || !(await connections.settingOf(provider)).isEnabled) {
      return { problem: consentProblem('disabled') };
    }
    const startedMs = performance.now();
    let granted: GrantedTokens;
    try {
      granted = await this.flow.tokens({ provider, configured }, response);
    } catch (failure) {
      if (!(failure instanceof VendorError)) throw failure;
      log.warn({ event: 'token_exchange_failed', err: failure, provider }, 'Failed to exchange a code for tokens');
      return { problem: problemOfExchange(failure) };
    }
    const identified = await this.identified(state, configured, granted);
    if (identified.identity === undefined && configured.cloud.oauth.needsIdentity) {
      log.warn({ event: 'account_not_identified', err: identified.error, provider }, 'Failed to identify an account');
      return { problem: problemOfIdentity(identified.error) };
    }
    const scope = scopeOf(configured, granted, { identified, sentBack });
    if (scope !== undefined && grantsNothing(consentedTypes(configured.cloud), scopesIn(scope))) {
      await this.decline(state, configured, granted, identified);
      return { problem: consentProblem('nothing_granted') };
    }
    const stored = await this.store(state, configured, granted, { ...identified, scope });
    const connection = stored && (await connections.findConnectionById(stored.connectionId));
    if (!connection) return { problem: await this.whyNotStored(state) };
    if (await this.wasEnded(state, configured, granted, { identified, beganMs: startedMs })) {
      await connections.writer.endUnlessReplaced(connection.id, granted);
      return { problem: consentProblem('ended_meanwhile') };
    }
    await connections.connected(connection, stored.establishment);
    return { connection };
  }

  private async whyNotStored({ link }: ConsentState): Promise<ConsentProblem> {
    const isLinkEnded = link !== undefined && !(await this.options.links.holds(link.id));
    return consentProblem(isLinkEnded ? 'link_revoked' : 'user_gone');
  }

  private async store(
    state: ConsentState,
    configured: ConfiguredCloud,
    tokens: GrantedTokens,
    { identity, accountState, error, scope }: Identified & { scope: string | undefined },
  ): Promise<{ connectionId: string; establishment: Establishment } | undefined> {
    const { connections, links, log } = this.options;
    const { user, provider, link } = state;
    if (error)
      log.warn(
        { event: 'account_identity_pending', err: error, provider },
        'Deferred the identification of a connected account',
      );
    const consent = {
      user,
      provider,
      tokens,
      identity,
      accountState,
      scope,
      accessTokenSeconds: configured.cloud.oauth.accessTokenSeconds,
      requestsHistoryAgain: configured.cloud.exports !== undefined,
    };
    const isRequested = link && ((client: pg.ClientBase) => links.holds(link.id, client));
    const established = await connections.writer.establish(consent, isRequested);
    if (!established && identity) {
      await connections.deregistration.returnConsent({ provider, providerUserId: identity.userId }, tokens);
    }
    // Revokes the replaced account's grant. Otherwise the vendor would continue to send that account's data.
    const former = established?.former;
    if (former) {
      await connections.deregistration.returnConsent({ provider, providerUserId: former.providerUserId }, former);
    }
    return established;
  }

  /**
   * True if the new tokens are invalid because the account's grant was ended for another user during this consent.
   * Queries the vendor only if a grant ended. Once this connection is stored, disconnecting another user no longer ends
   * the account's grant.
   */
  private async wasEnded(
    state: ConsentState,
    configured: ConfiguredCloud,
    granted: GrantedTokens,
    { identified: { identity }, beganMs: startedMs }: { identified: Identified; beganMs: number },
  ): Promise<boolean> {
    const { ended } = this.options.connections.deregistration;
    if (!identity || !ended.wasEndedSince(state.provider, identity.userId, startedMs)) return false;
    const { error } = await this.identified(state, configured, granted);
    return error?.code === 'unauthorized';
  }

  /**
   * Ends a grant that gives access to no data, unless a connection of this or another user to the same account may
   * depend on it. If the account is unknown, never sends a request that ends all grants of an account.
   */
  private async decline(
    state: ConsentState,
    configured: ConfiguredCloud,
    tokens: GrantedTokens,
    { identity }: Identified,
  ): Promise<void> {
    const { connections } = this.options;
    const { user, provider } = state;
    const known = await connections.findConnection(user.userKey, provider);
    if (known?.hasTokens) return;
    if (identity === undefined && configured.cloud.oauth.endConsent !== undefined) return;
    await connections.deregistration.returnConsent({ provider, providerUserId: identity?.userId }, tokens);
  }

  private identified(
    { user, provider }: ConsentState,
    { cloud }: ConfiguredCloud,
    { accessToken, members }: GrantedTokens,
  ) {
    const signal = AbortSignal.timeout(IDENTIFY_TIMEOUT_MS);
    const api = this.options.connections.apis.ofNewTokens(provider, accessToken, `consent of ${user.id}`, signal);
    return identify(cloud.oauth, api, { userId: user.id, members });
  }

  private async usable(provider: ProviderId): Promise<ConsentVendor> {
    const { connections } = this.options;
    const { cloud } = connections.uses.provider(provider);
    if (!cloud) throw new Failure('bad_request', `Provider '${provider}' does not support OAuth`);
    const configured = connections.configurationOf(provider);
    if (!configured) throw new Failure('conflict', pullBlockerText('unconfigured', provider));
    if ((await connections.settingOf(provider)).isEnabled) return { provider, configured };
    throw new Failure('conflict', pullBlockerText('disabled', provider));
  }
}

/**
 * Returns the granted scope; undefined if the vendor has not reported it yet. RFC 6749, 5.1: a missing scope means that
 * all requested scopes are granted. Some vendors report it only in the redirect URL.
 */
function scopeOf(
  { cloud, configuration }: ConfiguredCloud,
  granted: GrantedTokens,
  { identified, sentBack }: { identified: Identified; sentBack: string | undefined },
): string | undefined {
  if (cloud.oauth.grantedBy === 'identity') return identified.identity?.scope;
  return namedScopes(granted.scope ?? sentBack ?? configuration.scope, cloud.oauth);
}
