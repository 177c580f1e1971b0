import type { ProviderId } from '@healthd/model';
import type { GrantedTokens } from '@healthd/providers';
import type { Request, Response } from 'express';
import { Passport } from 'passport';
import { Failure } from '../../platform/failures.js';
import type { ConfiguredCloud } from '../connections.js';
import { consentProblem } from './consent-problems.js';
import type { PendingConsent, ConsentStates } from './consent-states.js';
import { type StartOptions, VendorStrategy } from './vendor-strategy.js';

/** The browser's request, and the response that may redirect it. */
export interface HttpExchange {
  request: Request;
  response: Response;
}

/** A vendor with the operator's OAuth client. */
export interface ConsentVendor {
  provider: ProviderId;
  configured: ConfiguredCloud;
}

/** Runs consents through Passport, with one strategy per vendor. */
export class ConsentFlow {
  private readonly passport = new Passport();
  private readonly known = new Set<ProviderId>();

  constructor(
    private readonly states: Pick<ConsentStates, 'store' | 'verify'>,
    private readonly apiBaseUrl: string,
  ) {}

  /**
   * Redirects the browser to the vendor's consent page. @throws Failure `bad_request` if the request contains a code or
   * an error
   */
  async redirect(vendor: ConsentVendor, state: PendingConsent, exchange: HttpExchange): Promise<void> {
    await this.begin(vendor, { state, returnsUrl: false }, exchange);
  }

  /** Returns the consent page's URL. @throws Failure `bad_request` if the request contains a code or an error */
  address(vendor: ConsentVendor, state: PendingConsent, exchange: HttpExchange): Promise<string> {
    return this.begin(vendor, { state, returnsUrl: true }, exchange);
  }

  /** Returns the tokens for the request's code, whose state was consumed. @throws VendorError */
  async tokens(vendor: ConsentVendor, exchange: HttpExchange): Promise<GrantedTokens> {
    const granted = await this.authenticate<GrantedTokens>(vendor, {}, exchange);
    if (!granted) throw new Error('The state store has no consent for this request.');
    return granted;
  }

  /** Rejects a request with a code or an error, because Passport would treat it as the end of a consent. */
  private async begin(vendor: ConsentVendor, options: StartOptions, exchange: HttpExchange): Promise<string> {
    const { code, error } = exchange.request.query;
    const isEnd = Boolean(code) || Boolean(error);
    const address = isEnd ? undefined : await this.authenticate<string>(vendor, options, exchange);
    if (address === undefined) throw new Failure('bad_request', consentProblem('invalid_state').message);
    return address;
  }

  private authenticate<T>(
    vendor: ConsentVendor,
    options: Partial<StartOptions>,
    { request, response }: HttpExchange,
  ): Promise<T | undefined> {
    const name = this.strategyOf(vendor);
    return new Promise((resolve, reject) => {
      const done = (error: unknown, result?: unknown) => {
        if (error) reject(causeOf(error));
        else resolve((result || undefined) as T | undefined);
      };
      this.passport.authenticate(name, { ...options, session: false } as object, done)(request, response, reject);
    });
  }

  /**
   * Looks up the strategy by name. Passport clones a named strategy for each request, but shares one strategy instance
   * between requests.
   */
  private strategyOf({ provider, configured }: ConsentVendor): ProviderId {
    if (!this.known.has(provider)) {
      const callback = `${this.apiBaseUrl}/api/v1/oauth/${provider}/callback`;
      this.passport.use(provider, new VendorStrategy(configured, callback, this.states));
      this.known.add(provider);
    }
    return provider;
  }
}

/** Returns the error that the strategy wrapped. */
function causeOf(error: unknown): unknown {
  return (error as { oauthError?: unknown }).oauthError ?? error;
}
