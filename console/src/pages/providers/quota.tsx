import type { RequestQuotaResponse } from '@healthd/schemas';
import { Facts } from '../../components/facts.js';
import { Instant } from '../../components/instant.js';
import { Progress } from '../../components/progress.js';
import { formatCount, formatMinutes, humanize } from '../../format.js';

/** Used and remaining quota, and waiting runs. */
export function Quota({ quota }: { quota: RequestQuotaResponse }) {
  const waiting = Object.entries(quota.waiting).filter(([, runs]) => runs > 0);
  const waitingText =
    waiting.map(([priority, runs]) => `${humanize(priority)} ${formatCount(runs)}`).join(', ') || 'none';
  return (
    <>
      {quota.windows.map((window) => (
        <QuotaWindow key={window.window_seconds} window={window} />
      ))}
      <Facts
        facts={[
          ['Connected users', formatCount(quota.active_connections)],
          ['Enough for', quota.users_served === null ? '–' : `${formatCount(quota.users_served)} users`],
          ['Requests in 24 h', formatCount(quota.requests_last_day)],
          ['Per user and day', quota.requests_per_user_and_day?.toFixed(1) ?? '–'],
          ['Waiting runs', waitingText],
        ]}
      />
    </>
  );
}

/** The bar shows the used quota. */
function QuotaWindow({ window }: { window: RequestQuotaResponse['windows'][number] }) {
  const { window_seconds: seconds, limit, spent, left, refilled_at: refilledAt } = window;
  const span = seconds < 60 ? `${seconds} s` : formatMinutes(seconds / 60);
  return (
    <section className="quota" aria-label={`Requests in ${span}`}>
      <b>
        {formatCount(left)} of {formatCount(limit)} requests left
      </b>
      <Progress value={limit === 0 ? 0 : spent / limit} name={`Requests used in ${span}`} />
      <span className="muted">
        {formatCount(spent)} used in the last {span}
        {refilledAt && (
          <>
            {' · refilled '}
            <Instant at={refilledAt} />
          </>
        )}
      </span>
    </section>
  );
}
