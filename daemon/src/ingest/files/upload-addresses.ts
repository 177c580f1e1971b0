import { randomUUID } from 'node:crypto';
import { IMPORT_MODES } from '@healthd/contract';
import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import type { ImportMode } from './import-file.js';

/** Permission of a signed URL's holder: upload one file for one user. */
export interface UploadGrant {
  /** Becomes the received file's ID, so that a URL works only once. */
  fileId: string;
  userId: string;
  /** File name; undefined to use the uploaded file's name. */
  filename: string | undefined;
  maxBytes: number;
  mode: ImportMode;
  dryRun: boolean;
}

const TYPE = 'upload+jwt';
const ISSUER = 'healthd';
const AUDIENCE = 'upload';

const claimsSchema = z.object({
  sub: z.uuid(),
  jti: z.uuid(),
  filename: z.string().optional(),
  max_bytes: z.int().positive(),
  mode: z.enum(IMPORT_MODES),
  dry_run: z.boolean(),
});

/** Signs and verifies the tokens of URLs that accept an upload without other credentials. */
export class UploadAddresses {
  /**
   * @param key derived from SIGNING_KEY for this purpose only
   * @param baseAddress the service's public URL without a trailing slash
   */
  constructor(
    private readonly key: Uint8Array,
    private readonly baseAddress: string,
  ) {}

  /** Returns an expiring URL below `path`. */
  async issue(path: string, grant: Omit<UploadGrant, 'fileId'>, lifetimeSeconds: number): Promise<string> {
    const token = await new SignJWT({
      filename: grant.filename,
      max_bytes: grant.maxBytes,
      mode: grant.mode,
      dry_run: grant.dryRun,
    })
      .setProtectedHeader({ alg: 'HS256', typ: TYPE })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(grant.userId)
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime(`${lifetimeSeconds}s`)
      .sign(this.key);
    return `${this.baseAddress}${path}?token=${token}`;
  }

  /** Returns undefined if the token is invalid, expired or of another type. */
  async read(token: string): Promise<UploadGrant | undefined> {
    try {
      const { payload } = await jwtVerify(token, this.key, {
        algorithms: ['HS256'],
        typ: TYPE,
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['exp'],
      });
      const { sub, jti, filename, max_bytes, mode, dry_run } = claimsSchema.parse(payload);
      return { fileId: jti, userId: sub, filename, maxBytes: max_bytes, mode, dryRun: dry_run };
    } catch {
      return undefined;
    }
  }
}
