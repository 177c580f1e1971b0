import { type GrantedTokens, requestTokens } from '@healthd/providers';
import type { Request } from 'express';
import type OAuth2Strategy from 'passport-oauth2';
import type { ConfiguredCloud } from '../connections.js';
import { clientOf } from '../requests/vendor-client.js';
import { BoundedStrategy } from './bounded-strategy.js';
import type { PendingConsent, ConsentStates } from './consent-states.js';

/** Options of `passport.authenticate` for starting a consent. */
export interface StartOptions {
  /** Passed to the state store. */
  state: PendingConsent;
  /** True to return the vendor's URL to the caller instead of redirecting the browser. */
  returnsUrl: boolean;
}

/**
 * passport-oauth2 for one vendor: builds the consent page's URL with PKCE and turns the redirect into tokens. The
 * client that renews tokens also exchanges the code. It handles timeouts, sizes and credentials.
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
      // The package's types only describe a store without PKCE.
      store: states as unknown as OAuth2Strategy.StateStore,
    });
  }

  /**
   * Passport clones the strategy for each request. Its `redirect` ends the response without a callback, so this
   * override reports the end.
   */
  override authenticate(request: Request, options: Partial<StartOptions> = {}): void {
    const { redirect } = this;
    this.redirect = (address: string) => {
      if (!options.returnsUrl) redirect.call(this, address, 303);
      this.success(address as Express.User);
    };
    super.authenticate(request, options);
  }

  /** Returns the vendor's extra parameters of the consent page's URL. */
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
