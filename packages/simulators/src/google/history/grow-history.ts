import type { Account } from '../accounts.js';
import type { HistoryOptions } from '../control.js';
import type { Service } from '../service.js';

export function seedHistory(_service: Service, _account: Account, _options: HistoryOptions = {}): number {
  return 0;
}
export function growHistory(_service: Service, _account: Account): number {
  return 0;
}
