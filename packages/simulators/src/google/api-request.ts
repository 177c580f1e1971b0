import type { Call } from '../vendor/index.js';
import type { Account } from './account.js';
import type { ApiTarget } from './api-paths.js';
import type { DataType } from './data-types.js';
import type { Service } from './service.js';

/** A Health API request that has passed authentication, quota, scope and the state of the account. */
export interface ApiRequest {
  service: Service;
  call: Call;
  target: ApiTarget;
  account: Account;
  /** Of requests for data points. */
  type?: DataType;
  /** The token may only write: it reads back what the same client wrote. */
  ownOnly: boolean;
}
