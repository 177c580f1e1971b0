import type { IncomingHttpHeaders } from 'node:http';

/** Parts of the simulated service. */
export type Role = 'api' | 'authorize' | 'token' | 'control';

/** A request with what has been found out about it before it is handled. */
export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
  role: Role;
  /** Control id of the account whose token came along. */
  account?: string;
}

/** One request that was answered. Neither bodies nor tokens are kept. */
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
