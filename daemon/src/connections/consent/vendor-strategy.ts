import { type GrantedTokens, requestTokens } from '@healthd/providers';
import type { Request } from 'express';
import type OAuth2Strategy from 'passport-oauth2';
import type { ConfiguredCloud } from '../connections.js';
import { clientOf } from '../requests/vendor-client.js';
import { BoundedStrategy } from './bounded-strategy.js';
import type { BegunConsent, ConsentStates } from './consent-states.js';

/** Options of `passport.authenticate` for the beginning of a consent. */
export interface BeginOptions {
  /** Handed to the state store. */
  state: BegunConsent;
  /** Returns the vendor's address to the caller instead of redirecting the browser to it. */
  answersAddress: boolean;
}

/**
 * passport-oauth2 for one vendor: it builds the consent page's address with PKCE and turns what comes back into tokens. The
 * code is exchanged by the client that renewals use too, which knows time-outs, sizes and where credentials go.
 */
export class VendorStrategy extends BoundedStrategy {
  constructor(
    private readonly configured: ConfiguredCloud,
    private readonly callbackUrl: string,
    states: Pick<ConsentStates, 'store' | 'verify'>,
  ) {
    const { cloud, configuration } = configured;
    const { clientId, clientSecret } = clientOf(configured);
    super({
      authorizationURL: configuration.addresses.authorize,
      tokenURL: configuration.addresses.token,
      clientID: clientId,
      clientSecret,
      callbackURL: callbackUrl,
      scope: cloud.oauth.scopeSeparator === undefined ? configuration.scope : configuration.scope.split(/[\s,]+/),
      scopeSeparator: cloud.oauth.scopeSeparator ?? ' ',
      pkce: cloud.oauth.pkce,
      skipUserProfile: true,
      // The package's types describe only the store's form without PKCE.
      store: states as unknown as OAuth2Strategy.StateStore,
    });
  }

  /**
   * Passport has its own clone of the strategy for each request. Its `redirect` ends the response without a callback, so
   * this one reports the end.
   */
  override authenticate(request: Request, options: Partial<BeginOptions> = {}): void {
    const { redirect } = this;
    this.redirect = (address: string) => {
      if (!options.answersAddress) redirect.call(this, address, 303);
      this.success(address as Express.User);
    };
    super.authenticate(request, options);
  }

  /** What the vendor wants in the consent page's address beside what OAuth says. */
  override authorizationParams(): object {
    return { ...this.configured.cloud.oauth.authorizeParameters };
  }

  protected override exchangeCode(code: string, codeVerifier: string | undefined): Promise<GrantedTokens> {
    const { cloud, configuration } = this.configured;
    return requestTokens({
      address: configuration.addresses.token,
      grant: {
        kind: 'authorization_code',
        code,
        redirectUri: this.callbackUrl,
        ...(codeVerifier && { codeVerifier }),
      },
      client: clientOf(this.configured),
      readError: cloud.readError,
    });
  }
}
