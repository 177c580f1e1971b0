import { randomBytes } from 'node:crypto';
import type { Problem } from '@healthd/api';
import { type Algorithm, hash, verify } from '@node-rs/argon2';
import { Failure } from '../failures.js';

/** OWASP's recommended argon2id parameters: 19 MiB, two passes, one lane. */
const PARAMETERS = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Longer input is refused unread, so that nobody makes the service hash megabytes. */
const MAX_PASSWORD_BYTES = 1024;

let stranger: Promise<string> | undefined;

export async function hashPassword(password: string): Promise<string> {
  return hash(password, PARAMETERS);
}

/**
 * Whether the password is the one behind the hash. Without a hash (no such account) it takes as long and says no, so
 * that timing does not tell which accounts exist.
 */
export async function passwordMatches(password: string, passwordHash: string | undefined): Promise<boolean> {
  stranger ??= hashPassword(randomBytes(16).toString('hex'));
  const tooLong = Buffer.byteLength(password) > MAX_PASSWORD_BYTES;
  const matches = await verify(passwordHash ?? (await stranger), tooLong ? '' : password);
  return matches && !tooLong && passwordHash !== undefined;
}

/** @throws Failure `unprocessable` in the terms of a validation error, for the field that carried the password */
export function requireLength(password: string, minLength: number, field: string): void {
  if ([...password].length >= minLength) return;
  const msg = `String should have at least ${minLength} character${minLength === 1 ? '' : 's'}`;
  const problem: Problem = { loc: ['body', field], msg, type: 'string_too_short', ctx: { min_length: minLength } };
  throw new Failure('unprocessable', msg, { problems: [problem] });
}

/** A password of 120 random bits for an account that was not given one. */
export function generatePassword(): string {
  return randomBytes(15).toString('base64url');
}
