import type { IncomingHttpHeaders } from 'node:http';

/**
 * Parts of a simulated service. The application's own credentials open `operator`, and `subscribers` at Google. `userInfo`,
 * `keyset` and `metadata` exist at Google only.
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
  /** The fault that hits it. */
  fault?: { kind: string } | undefined;
}

/** One answered request. Stores neither bodies nor tokens. */
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
  /** Kind of the fault that hit it. */
  fault?: string | undefined;
}

/** Returns the token of a request; empty without one. */
export function bearer({ headers }: Pick<Call, 'headers'>): string {
  return /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
}
