import type { Operation, Role } from './fault-types.js';

/** One request that was answered. Neither bodies nor tokens are recorded. */
export interface RequestRecord {
  /** RFC 3339, by the simulator's clock. */
  at: string;
  role: Role;
  method: string;
  path: string;
  /** Query without codes and tokens. */
  query: Record<string, string>;
  /** 0 when the connection was cut. */
  status: number;
  account?: string;
  dataType?: string;
  operation?: Operation;
  /** Kind of the fault that hit it. */
  fault?: string;
}

/** Members that are given must be equal; `path` must be contained. */
export type RequestFilter = Partial<
  Pick<RequestRecord, 'role' | 'account' | 'dataType' | 'operation' | 'status' | 'path'>
>;
