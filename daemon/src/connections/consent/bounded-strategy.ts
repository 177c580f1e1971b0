import type { GrantedTokens } from '@healthd/providers';
import OAuth2Strategy from 'passport-oauth2';

/**
 * passport-oauth2 with a replaced code exchange. The package documents no way to replace it: its own HTTP client limits
 * neither the time nor the size of a response, reads errors in one format, and sends the client secret in one place. So
 * this class overrides the method that it calls. No other file touches `_oauth2`.
 */
export abstract class BoundedStrategy extends OAuth2Strategy {
  constructor(options: OAuth2Strategy.StrategyOptions) {
    super(options, (_access: string, _refresh: string, granted: GrantedTokens, _profile: unknown, done) =>
      done(null, granted),
    );
    this._oauth2.getOAuthAccessToken = (code: string, params: unknown, callback?: unknown) => {
      const done = callback as (error: unknown, access?: string, refresh?: string, granted?: GrantedTokens) => void;
      this.exchangeCode(code, (params as { code_verifier?: string }).code_verifier).then(
        (granted) => done(null, granted.accessToken, granted.refreshToken, granted),
        (error: unknown) => done(error),
      );
    };
  }

  /** Exchanges a code for tokens. @throws VendorError */
  protected abstract exchangeCode(code: string, codeVerifier: string | undefined): Promise<GrantedTokens>;
}
