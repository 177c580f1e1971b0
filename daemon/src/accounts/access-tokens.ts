import { randomUUID } from 'node:crypto';
import { normalizeUuid } from '@healthd/schemas';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { deriveKey } from './signing-keys.js';

/** Claims of a developer's access token. `sessionId` is the ID of its refresh token family. */
export interface DeveloperClaims {
  developerId: string;
  sessionId: string;
}

/** Claims of a device's access token. The device may only push this user's data. */
export interface SdkClaims {
  userId: string;
  /** Issuer of the token: an application, `admin:<developer>` or `invite:<developer>`. */
  appId: string;
  /** ID of its refresh token family. */
  sessionId: string;
}

const ISSUER = 'healthd';

/**
 * Signs and verifies access tokens. Each type has its own key, audience and `typ` (RFC 8725), so that the types cannot
 * be confused. The algorithm is fixed and never read from the token.
 */
export class AccessTokens {
  readonly #developer: TokenKind;
  readonly #sdk: TokenKind;

  /** @param lifetimeSeconds lifetime of both token types */
  constructor(
    signingKey: Uint8Array,
    readonly lifetimeSeconds: number,
  ) {
    this.#developer = { key: deriveKey(signingKey, 'developer-access'), type: 'developer+jwt', audience: 'developer' };
    this.#sdk = { key: deriveKey(signingKey, 'sdk-access'), type: 'sdk+jwt', audience: 'sdk' };
  }

  signDeveloper({ developerId, sessionId }: DeveloperClaims): Promise<string> {
    return this.#sign(this.#developer, developerId, { sid: sessionId });
  }

  signSdk({ userId, appId, sessionId }: SdkClaims): Promise<string> {
    return this.#sign(this.#sdk, userId, { scope: 'sdk', app_id: appId, sid: sessionId });
  }

  /** Returns the claims; undefined if the token is invalid, expired or of another type. */
  async verifyDeveloper(token: string): Promise<DeveloperClaims | undefined> {
    const claims = await verified(this.#developer, token);
    const developerId = uuidClaim(claims?.sub);
    const sessionId = uuidClaim(claims?.sid);
    return developerId && sessionId ? { developerId, sessionId } : undefined;
  }

  /** Returns the claims; undefined if the token is invalid, expired or of another type. */
  async verifySdk(token: string): Promise<SdkClaims | undefined> {
    const claims = await verified(this.#sdk, token);
    const userId = uuidClaim(claims?.sub);
    const sessionId = uuidClaim(claims?.sid);
    return userId && sessionId && typeof claims?.app_id === 'string'
      ? { userId, sessionId, appId: claims.app_id }
      : undefined;
  }

  #sign(kind: TokenKind, subject: string, claims: JWTPayload): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: kind.type })
      .setSubject(subject)
      .setIssuer(ISSUER)
      .setAudience(kind.audience)
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime(`${this.lifetimeSeconds}s`)
      .sign(kind.key);
  }
}

interface TokenKind {
  key: Uint8Array;
  type: string;
  audience: string;
}

async function verified(kind: TokenKind, token: string): Promise<JWTPayload | undefined> {
  try {
    const { payload } = await jwtVerify(token, kind.key, {
      algorithms: ['HS256'],
      typ: kind.type,
      issuer: ISSUER,
      audience: kind.audience,
      requiredClaims: ['exp', 'sub', 'jti'],
    });
    return payload;
  } catch {
    return undefined;
  }
}

function uuidClaim(claim: unknown): string | undefined {
  return typeof claim === 'string' ? normalizeUuid(claim) : undefined;
}
