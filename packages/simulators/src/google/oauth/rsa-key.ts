import { generateKeyPairSync, type KeyObject } from 'node:crypto';

/**
 * A private key that is made when it is first asked for and then stays: finding its primes takes a good part of a second,
 * so simulators of one process share theirs, and a service that never asks does without.
 */
export function rsaKeyOnDemand(): () => KeyObject {
  let key: KeyObject | undefined;
  return () => {
    key ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    return key;
  };
}
