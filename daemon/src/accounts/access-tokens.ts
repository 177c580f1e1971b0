import { randomUUID } from 'node:crypto';
import { normalizeUuid } from '@healthd/schemas';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { deriveKey } from './signing-keys.js';

/** What a developer's access token says. `sessionId` is the family of its refresh tokens. */
export interface DeveloperClaims {
  developerId: string;
  sessionId: string;
}

/** What a device's token says: it may push data of this user and nothing else. */
export interface SdkClaims {
  userId: string;
  /** Through whom the token came: an application, `admin:<developer>` or `invite:<developer>`. */
  appId: string;
  /** The family of its refresh tokens. */
  sessionId: string;
}

const ISSUER = 'healthd';

/**
 * Signs and verifies access tokens. Each kind has a key, an audience and a `typ` of its own (RFC 8725), so that one kind
 * never passes for the other; the algorithm is fixed and never taken from the token.
 */
export class AccessTokens {
  readonly #developer: TokenKind;
  readonly #sdk: TokenKind;

  /** @param lifetimeSeconds life of either kind */
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

  /** Undefined for a token that is not ours, of another kind, or expired. */
  async verifyDeveloper(token: string): Promise<DeveloperClaims | undefined> {
    const claims = await verified(this.#developer, token);
    const developerId = uuidClaim(claims?.sub);
    const sessionId = uuidClaim(claims?.sid);
    return developerId && sessionId ? { developerId, sessionId } : undefined;
  }

  /** Undefined for a token that is not ours, of another kind, or expired. */
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
