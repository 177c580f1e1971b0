import { type GrantedTokens, requestTokens } from '@healthd/providers';
import type { Request } from 'express';
import OAuth2Strategy from 'passport-oauth2';
import type { ConfiguredCloud } from '../connections.js';
import { clientOf } from '../requests/vendor-client.js';

/** Keeps what the way back needs. @returns the state that the vendor hands back */
export type SaveState = (codeVerifier: string | undefined) => Promise<string>;

/** What replaces the browser's request: the strategy reads its query, our state store the rest. */
interface Exchange {
  query: { code?: string };
  save?: SaveState;
  codeVerifier?: string | undefined;
}

/** States are kept and used up by us; the strategy only asks for the one and gets the verifier of the other. */
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
export class VendorStrategy extends OAuth2Strategy {
  private readonly authorizeParameters: Readonly<Record<string, string>>;

  constructor(configured: ConfiguredCloud, callbackUrl: string) {
    const { cloud, configuration } = configured;
    const { clientId, clientSecret } = clientOf(configured);
    super(
      {
        authorizationURL: configuration.addresses.authorize,
        tokenURL: configuration.addresses.token,
        clientID: clientId,
        clientSecret,
        callbackURL: callbackUrl,
        scope: configuration.scope,
        pkce: cloud.oauth.pkce,
        skipUserProfile: true,
        // The types know the store's form without PKCE only.
        store: STATE_STORE as unknown as OAuth2Strategy.StateStore,
      },
      (_access: string, _refresh: string, granted: GrantedTokens, _profile: unknown, done) => done(null, granted),
    );
    this.authorizeParameters = cloud.oauth.authorizeParameters;
    // passport-oauth2 documents no other way to exchange the code than its own client, which bounds neither the time nor the
    // size of an answer and knows one place for the client's credentials. This is the only place that touches it.
    this._oauth2.getOAuthAccessToken = (code: string, params: unknown, callback?: unknown) => {
      const codeVerifier = (params as { code_verifier?: string }).code_verifier;
      const done = callback as (error: unknown, access?: string, refresh?: string, granted?: GrantedTokens) => void;
      requestTokens({
        address: configuration.addresses.token,
        grant: { kind: 'authorization_code', code, redirectUri: callbackUrl, ...(codeVerifier && { codeVerifier }) },
        client: clientOf(configured),
        readError: cloud.readError,
      }).then(
        (granted) => done(null, granted.accessToken, granted.refreshToken, granted),
        (error: unknown) => done(error),
      );
    };
  }

  /** What the vendor wants in the consent page's address beside what OAuth says. */
  override authorizationParams(): object {
    return { ...this.authorizeParameters };
  }

  /** The address of the consent page. */
  begin(save: SaveState): Promise<string> {
    return this.run<string>({ query: {}, save });
  }

  /** The tokens for a code. @throws VendorError */
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
