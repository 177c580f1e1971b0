import { randomBytes } from 'node:crypto';
import type { Problem } from '@healthd/schemas';
import { type Algorithm, hash, verify } from '@node-rs/argon2';
import { Failure, unprocessable } from '../platform/failures.js';
import { isCommonPassword } from './common-passwords.js';
import { normalizeLoginName } from './login-name.js';

/** OWASP's recommended argon2id parameters: 19 MiB, two passes, one lane. */
const PARAMETERS = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Longer input is rejected unread, so that the service never hashes megabytes. */
const MAX_PASSWORD_BYTES = 1024;

let dummyHash: Promise<string> | undefined;

function hashPassword(password: string): Promise<string> {
  return hash(password, PARAMETERS);
}

/**
 * True if the password matches the hash. Without a hash (no such account) it takes the same time and returns false, so
 * that timing does not reveal which accounts exist.
 */
export async function passwordMatches(password: string, passwordHash: string | undefined): Promise<boolean> {
  dummyHash ??= hashPassword(randomBytes(16).toString('hex'));
  const tooLong = Buffer.byteLength(password) > MAX_PASSWORD_BYTES;
  const matches = await verify(passwordHash ?? (await dummyHash), tooLong ? '' : password);
  return matches && !tooLong && passwordHash !== undefined;
}

/** Requirements of a new password. */
export interface NewPassword {
  /** Minimum length. */
  minLength: number;
  /** Email of the account, which is rejected as a password. */
  email: string;
  /** Body field of the password. */
  field: string;
}

/** @throws Failure `unprocessable` in validation error format for a weak password */
export async function hashNewPassword(password: string, requirements: NewPassword): Promise<string> {
  await requireGoodPassword(password, requirements);
  return hashPassword(password);
}

async function requireGoodPassword(password: string, { minLength, email, field }: NewPassword): Promise<void> {
  if ([...password].length < minLength) {
    const msg = `String should have at least ${minLength} character${minLength === 1 ? '' : 's'}`;
    const problem: Problem = { loc: ['body', field], msg, type: 'string_too_short', ctx: { min_length: minLength } };
    throw new Failure('unprocessable', msg, { problems: [problem] });
  }
  if (await isCommonPassword(password)) {
    throw unprocessable(['body', field], 'Value error, this is one of the most common passwords; choose another');
  }
  const name = normalizeLoginName(email);
  if ([name, name.replace(/@.*$/, '')].includes(normalizeLoginName(password))) {
    throw unprocessable(['body', field], 'Value error, the password must not be the email; choose another');
  }
}

const GENERATED_BYTES = 15;

/** Generates a password of the configured length with at least 120 random bits. */
export function generatePassword(minLength = 0): string {
  // Base64 encodes three bytes as four characters.
  return randomBytes(Math.max(GENERATED_BYTES, Math.ceil((minLength * 3) / 4))).toString('base64url');
}
