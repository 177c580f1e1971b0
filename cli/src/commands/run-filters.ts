import type { SyncSource, SyncStatus } from '@healthd/contract';
import { Option } from 'commander';

/** `--source` of runs. */
export function sourceOption(description: string): Option {
  return new Option('--source <source>', description).choices([
    'pull',
    'webhook',
    'sdk',
    'backfill',
    'xml_import',
    'linked_account',
  ] satisfies SyncSource[]);
}

/** `--status` of runs and of their steps. */
export function statusOption(description: string): Option {
  return new Option('--status <status>', description).choices([
    'in_progress',
    'success',
    'partial',
    'failed',
    'cancelled',
    'skipped',
  ] satisfies SyncStatus[]);
}
