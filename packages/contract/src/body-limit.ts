import type { RouteSpec } from './route.js';

/** Body limit of a route, enforced before parsing. */
export interface BodyLimit {
  /** Maximum size in bytes, before and after decompression. */
  maxBytes: number;
  /** True if the body may be gzipped. */
  takesGzip: boolean;
}

const KIB = 1024;
/** Limit without a credential: enough for a token, a code or a password. */
const ANONYMOUS_BYTES = 16 * KIB;
const USUAL_BYTES = 64 * KIB;

/**
 * Returns the limit of a route's body. Allows gzip only if a check precedes the decompression: the service checks the
 * credential, or the handler of a raw body checks the headers.
 */
export function bodyLimitOf({ auth, bodyType, maxBodyBytes }: RouteSpec): BodyLimit {
  const isAnonymous = auth === 'public' || auth === 'application';
  return {
    maxBytes: maxBodyBytes ?? (isAnonymous ? ANONYMOUS_BYTES : USUAL_BYTES),
    takesGzip: !isAnonymous || bodyType === 'raw',
  };
}
