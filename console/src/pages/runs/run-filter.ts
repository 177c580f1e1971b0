import { SYNC_SOURCES, SYNC_STATUSES } from '@healthd/contract';
import { isProviderId } from '@healthd/model';
import { filterValue } from '../../components/filter-select.js';
import { humanize } from '../../format.js';
import type { RunFilter } from '../../hooks/use-runs.js';
import { RECENT_DAYS } from '../../recent-days.js';
import { runKind } from '../../run-kind.js';
import { quoted } from '../../shell-command.js';

/** `retrying` selects runs in progress that wait for a retry. */
export const STATES = (['retrying', ...SYNC_STATUSES] as const).map((state) => [state, humanize(state)] as const);
export const KINDS = SYNC_SOURCES.map((source) => [source, runKind(source)] as const);

/** Reads the run filter from the URL. */
export function runFilterOf(address: URLSearchParams): RunFilter {
  const state = filterValue(STATES, address.get('status'));
  const days = filterValue(RECENT_DAYS, address.get('days'));
  const provider = address.get('provider') ?? '';
  return {
    ...(state === 'retrying' ? { retrying: true } : { status: state }),
    source: filterValue(KINDS, address.get('kind')),
    provider: isProviderId(provider) ? provider : undefined,
    user_id: address.get('user') ?? undefined,
    days: days === undefined ? undefined : Number(days),
  };
}

/** Formats the filter as command-line options. */
export function runOptionsOf({ retrying, status, source, provider, user_id, days }: RunFilter): string {
  return [
    status && `--status ${status}`,
    retrying && '--retrying',
    source && `--source ${source}`,
    provider && `--provider ${provider}`,
    user_id && `--user ${quoted(user_id)}`,
    days && `--from ${days}d`,
  ]
    .filter(Boolean)
    .map((option) => ` ${option}`)
    .join('');
}
