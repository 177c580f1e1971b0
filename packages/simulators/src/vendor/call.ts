import type { IncomingHttpHeaders } from 'node:http';

/** Parts of a simulated service. `operator` needs the application's credentials. */
export type Role = 'api' | 'authorize' | 'token' | 'revoke' | 'operator' | 'control';

/** A request with the facts that are determined before it is handled. */
export interface Call<R extends string = Role> {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
  role: R;
  /** Control id of the token's account. */
  account?: string;
}

/** One answered request. Stores neither bodies nor tokens. */
export interface RequestRecord {
  /** RFC 3339, by the simulator's clock. */
  at: string;
  role: Role;
  method: string;
  path: string;
  /** 0 if the connection was cut. */
  status: number;
  account?: string;
}

/** Returns the token of a request; empty without one. */
export function bearer({ headers }: Pick<Call, 'headers'>): string {
  return (headers.authorization ?? '').replace(/^Bearer /, '');
}
