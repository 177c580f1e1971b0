import type { IncomingHttpHeaders } from 'node:http';

/**
 * Parts of a simulated service. `operator` requires the application's own credentials, as does `subscribers` at Google.
 * Only Google has `userInfo`, `keyset` and `metadata`.
 */
export type Role =
  | 'api'
  | 'authorize'
  | 'token'
  | 'revoke'
  | 'operator'
  | 'subscribers'
  | 'userInfo'
  | 'keyset'
  | 'metadata'
  | 'control';

/** A request with the facts that are determined before it is handled. */
export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
  role: Role;
  /** Control id of the token's account. */
  account?: string | undefined;
  /** Fault that the request triggered. */
  fault?: { kind: string } | undefined;
}

/** A completed request. Stores neither bodies nor tokens. */
export interface RequestRecord {
  /** RFC 3339, by the simulator's clock. */
  at: string;
  role: Role;
  method: string;
  path: string;
  /** Query without codes and tokens. */
  query: Record<string, string>;
  /** 0 if the connection was cut. */
  status: number;
  account?: string | undefined;
  /** Type of the fault that the request triggered. */
  fault?: string | undefined;
}

/** Returns the token of a request. Empty if the request has no token. */
export function bearer({ headers }: Pick<Call, 'headers'>): string {
  return /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
}
