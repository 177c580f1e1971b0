import { generateKeyPairSync, type KeyObject } from 'node:crypto';

/**
 * Returns a function that creates a private key on the first call. Finding its primes takes a good part of a second, so the
 * simulators of a process share one key, and a simulator that needs no key skips the cost.
 */
export function rsaKeyOnDemand(): () => KeyObject {
  let key: KeyObject | undefined;
  return () => {
    key ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    return key;
  };
}
