import { randomUUID } from 'node:crypto';
import { IMPORT_MODES } from '@healthd/contract';
import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import type { ImportMode } from './import-file.js';

/** What the holder of a signed address may do: send one file for one user. */
export interface UploadGrant {
  /** Becomes the id of the received file, so that an address serves once. */
  fileId: string;
  userId: string;
  /** Undefined where none was given: then the file keeps the name that it is sent with. */
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

/** Signs and reads the tokens of addresses to which a file can be sent without any other credential. */
export class UploadAddresses {
  /**
   * @param key derived from SIGNING_KEY for this purpose alone
   * @param baseAddress what callers reach the service by, without a slash at its end
   */
  constructor(
    private readonly key: Uint8Array,
    private readonly baseAddress: string,
  ) {}

  /** An address below `path` that expires. */
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

  /** Undefined for a token that is not ours, of another kind, or expired. */
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
