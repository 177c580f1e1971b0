import type { GrantedTokens } from '@healthd/providers';
import OAuth2Strategy from 'passport-oauth2';

/**
 * passport-oauth2 with a separate code exchange. The package's HTTP client limits neither the time nor the size of a
 * response, reads errors in one format only, and sends the client secret in one place only. The package documents no
 * way to replace its client, so this class overrides the client method that the package calls. No other file uses
 * `_oauth2`.
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
