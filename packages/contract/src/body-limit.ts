import type { RouteSpec } from './route.js';

/** What a route takes as its body; enforced before any of it is parsed. */
export interface BodyLimit {
  /** After unpacking as well. */
  maxBytes: number;
  /** Whether it may be packed with gzip. */
  takesGzip: boolean;
}

const KIB = 1024;
/** A caller without a credential sends a token, a code or a password. */
const ANONYMOUS_BYTES = 16 * KIB;
const USUAL_BYTES = 64 * KIB;

/**
 * The limit of a route's body. Nothing is unpacked before a credential was seen; the handler of a raw body looks for one
 * in the headers before it reads.
 */
export function bodyLimitOf({ auth, bodyType, maxBodyBytes }: RouteSpec): BodyLimit {
  const isAnonymous = auth === 'public' || auth === 'application';
  return {
    maxBytes: maxBodyBytes ?? (isAnonymous ? ANONYMOUS_BYTES : USUAL_BYTES),
    takesGzip: !isAnonymous || bodyType === 'raw',
  };
}
