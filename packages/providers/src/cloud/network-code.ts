/** A code such as `ECONNREFUSED`. */
const NETWORK_CODE = /^[A-Z][A-Z0-9_]{2,40}$/;

/** The code alone: a network error's message may quote the address with what is in its query. */
export function networkCode(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && NETWORK_CODE.test(at.code)) return at.code;
  }
  return undefined;
}
