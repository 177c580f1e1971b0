import type { IncomingHttpHeaders } from 'node:http';

/** Parts of a simulated service. `operator` is what the application's own credentials open. */
export type Role = 'api' | 'authorize' | 'token' | 'revoke' | 'operator' | 'control';

/** A request with what has been found out about it before it is handled. */
export interface Call<R extends string = Role> {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
  role: R;
  /** Control id of the account whose token came along. */
  account?: string;
}

/** One request that was answered. Neither bodies nor tokens are stored. */
export interface RequestRecord {
  /** RFC 3339, by the simulator's clock. */
  at: string;
  role: Role;
  method: string;
  path: string;
  /** 0 when the connection was cut. */
  status: number;
  account?: string;
}

/** The token of a request; empty without one. */
export function bearer({ headers }: Pick<Call, 'headers'>): string {
  return (headers.authorization ?? '').replace(/^Bearer /, '');
}
