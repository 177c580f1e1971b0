import { type ClientCredentials, type GrantedTokens, requestTokens } from '@healthd/providers';
import type { Request } from 'express';
import type OAuth2Strategy from 'passport-oauth2';
import type { ConfiguredCloud } from '../connections.js';
import { clientOf } from '../requests/vendor-client.js';
import { BoundedStrategy } from './bounded-strategy.js';

/** Keeps what the way back needs. @returns the state that the vendor hands back */
export type SaveState = (codeVerifier: string | undefined) => Promise<string>;

/** What replaces the browser's request: the strategy reads its query, our state store the rest. */
interface Exchange {
  query: { code?: string };
  save?: SaveState;
  codeVerifier?: string | undefined;
}

/** We store states and use them up: the strategy asks for a new state, and gets the verifier of one that came back. */
const STATE_STORE = {
  store(exchange: Exchange, verifier: string | undefined, _state: unknown, _meta: unknown, done: StateDone) {
    if (!exchange.save) return done(new Error('a consent began without a place for its state'));
    exchange.save(verifier).then(
      (state) => done(null, state),
      (error: unknown) => done(error),
    );
  },
  verify(exchange: Exchange, _state: unknown, _meta: unknown, done: StateDone) {
    done(null, exchange.codeVerifier ?? true);
  },
};
type StateDone = (error: unknown, value?: string | true) => void;

/**
 * passport-oauth2 for one vendor: it builds the consent page's address with PKCE and turns what comes back into tokens. The
 * code is exchanged by the client that renewals use too, which knows time-outs, sizes and where credentials go.
 */
export abstract class VendorStrategy extends BoundedStrategy {
  constructor(
    private readonly configured: ConfiguredCloud,
    private readonly callbackUrl: string,
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
      // The types know the store's form without PKCE only.
      store: STATE_STORE as unknown as OAuth2Strategy.StateStore,
    });
  }

  /** How the client proves to the token endpoint who it is. */
  protected abstract readonly authentication: ClientCredentials['authentication'];

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
      client: { ...clientOf(this.configured), authentication: this.authentication },
      readError: cloud.readError,
    });
  }

  /** The address of the consent page. */
  begin(save: SaveState): Promise<string> {
    return this.run<string>({ query: {}, save });
  }

  /** The tokens for what came back. @throws VendorError */
  exchange(code: string, codeVerifier: string | undefined): Promise<GrantedTokens> {
    return this.run<GrantedTokens>({ query: { code }, codeVerifier });
  }

  /** Runs a clone of the strategy, whose ends settle a promise instead of writing to a response. */
  private run<T>(exchange: Exchange): Promise<T> {
    return new Promise((resolve, reject) => {
      const clone = Object.create(this) as this;
      clone.redirect = (address) => resolve(address as T);
      clone.success = (granted) => resolve(granted as T);
      clone.fail = () => reject(new Error('a consent failed before the vendor was asked'));
      clone.error = (error) => reject(causeOf(error));
      clone.authenticate(exchange as unknown as Request);
    });
  }
}

/** The strategy wraps what the exchange threw. */
function causeOf(error: unknown): unknown {
  return (error as { oauthError?: unknown }).oauthError ?? error;
}
