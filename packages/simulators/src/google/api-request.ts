import type { Call } from '../vendor/index.js';
import type { Account } from './account.js';
import type { ApiTarget } from './api-paths.js';
import type { DataType } from './data-types.js';
import type { Service } from './service.js';

/** A Health API request that passed the checks of token, quota, scope and account state. */
export interface ApiRequest {
  service: Service;
  call: Call;
  target: ApiTarget;
  account: Account;
  /** Only for requests for data points. */
  type?: DataType;
  /** True if the token may only write. It then reads only points that the same client wrote. */
  ownOnly: boolean;
}
