import { randomBytes } from 'node:crypto';
import type { Problem } from '@healthd/schemas';
import { type Algorithm, hash, verify } from '@node-rs/argon2';
import { Failure, unprocessable } from '../platform/failures.js';
import { isCommonPassword } from './common-passwords.js';
import { normalizeLoginName } from './login-name.js';

/** OWASP's recommended argon2id parameters: 19 MiB, two passes, one lane. */
const PARAMETERS = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Longer input is refused unread, so that no one makes the service hash megabytes. */
const MAX_PASSWORD_BYTES = 1024;

let dummyHash: Promise<string> | undefined;

function hashPassword(password: string): Promise<string> {
  return hash(password, PARAMETERS);
}

/**
 * Whether the password is the one behind the hash. Without a hash (no such account) it takes as long and says no, so
 * that timing does not say which accounts exist.
 */
export async function passwordMatches(password: string, passwordHash: string | undefined): Promise<boolean> {
  dummyHash ??= hashPassword(randomBytes(16).toString('hex'));
  const tooLong = Buffer.byteLength(password) > MAX_PASSWORD_BYTES;
  const matches = await verify(passwordHash ?? (await dummyHash), tooLong ? '' : password);
  return matches && !tooLong && passwordHash !== undefined;
}

/** What a new password is measured by. */
export interface NewPassword {
  /** Characters at least. */
  minLength: number;
  /** The account that it is for: its email is refused as a password. */
  email: string;
  /** Field of the body that carries it. */
  field: string;
}

/** @throws Failure `unprocessable`, in the terms of a validation error, for a password that is easily guessed */
export async function hashNewPassword(password: string, wanted: NewPassword): Promise<string> {
  await requireGoodPassword(password, wanted);
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

/** A password of at least 120 random bits for an account that was not given one, as long as the settings want it. */
export function generatePassword(minLength = 0): string {
  // Base64 writes three bytes as four characters.
  return randomBytes(Math.max(GENERATED_BYTES, Math.ceil((minLength * 3) / 4))).toString('base64url');
}
