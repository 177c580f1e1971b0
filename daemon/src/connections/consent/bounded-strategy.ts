import type { GrantedTokens } from '@healthd/providers';
import OAuth2Strategy from 'passport-oauth2';

/**
 * passport-oauth2 with another exchange of the code. The package documents none: its own HTTP client bounds neither the time
 * nor the size of an answer, reads errors in one form, and puts the client's secret in one place. So the method that it
 * calls is replaced. No other file touches `_oauth2`.
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

  /** The tokens for a code. @throws VendorError */
  protected abstract exchangeCode(code: string, codeVerifier: string | undefined): Promise<GrantedTokens>;
}
