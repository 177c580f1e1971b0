import type { ProviderSettingResponse, RequestQuotaResponse } from '@healthd/schemas';
import { Link } from 'react-router';
import { Loading } from '../../components/loading.js';
import { Progress } from '../../components/progress.js';
import { TableCard } from '../../components/table-card.js';
import { formatCount, formatMinutes } from '../../format.js';
import { useProviderQuota, useProviders } from '../../hooks/use-providers.js';

const COLUMNS = ['Vendor', 'Budget used', '#Requests left', '#Requests in 24 h', '#Enough for', '#Waiting runs'];

/** Remaining request budget per vendor; hidden without an enabled cloud API. */
export function Budgets() {
  const providers = useProviders({ includeUnconfigured: false });
  if (providers.isPending) return <Loading height={150} />;
  const clouds = (providers.data ?? []).filter((one) => one.has_cloud_api && one.is_configured && one.is_enabled);
  if (clouds.length === 0) return null;
  return (
    <TableCard name="Vendor budgets" heading stacked columns={COLUMNS}>
      {clouds.map((setting) => (
        <Budget key={setting.provider} setting={setting} />
      ))}
    </TableCard>
  );
}

type Window = RequestQuotaResponse['windows'][number];

function Budget({ setting: { provider, name } }: { setting: ProviderSettingResponse }) {
  const quota = useProviderQuota(provider).data;
  const window = quota && mostUsed(quota.windows);
  return (
    <tr>
      <td className="name">
        <Link to={`/providers/${provider}`}>{name}</Link>
      </td>
      <td>{window && <Progress value={usedFraction(window)} name={`Budget used at ${name}`} />}</td>
      <td className="number">
        {window ? `${formatCount(window.left)} of ${formatCount(window.limit)} in ${spanOf(window)}` : '–'}
      </td>
      <td className="number">{formatCount(quota?.requests_last_day)}</td>
      <td className="number">{quota?.users_served ? `${formatCount(quota.users_served)} users` : '–'}</td>
      <td className="number">{quota ? formatCount(sum(Object.values(quota.waiting))) : '–'}</td>
    </tr>
  );
}

/** Returns the window with the highest use. */
function mostUsed(windows: readonly Window[]): Window | undefined {
  return [...windows].sort((a, b) => usedFraction(b) - usedFraction(a))[0];
}

function usedFraction({ spent, limit }: Window): number {
  return limit === 0 ? 0 : spent / limit;
}

function spanOf({ window_seconds: seconds }: Window): string {
  if (seconds < 60) return `${seconds} s`;
  return seconds % 3600 === 0 ? `${seconds / 3600} h` : formatMinutes(seconds / 60);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
