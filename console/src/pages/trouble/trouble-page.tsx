import { listTroubledUsers } from '@healthd/contract';
import type { TroubledUsers } from '@healthd/schemas';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { CAUSE_NAMES } from '../../causes.js';
import { Commands } from '../../components/commands.js';
import { CsvButton } from '../../components/csv-button.js';
import { Instant } from '../../components/instant.js';
import { Loading } from '../../components/loading.js';
import { MoreRows } from '../../components/more-rows.js';
import { None } from '../../components/none.js';
import { Problem } from '../../components/problem.js';
import { providerName } from '../../components/provider-name.js';
import { TableCard } from '../../components/table-card.js';
import { formatCount, userName } from '../../format.js';
import { readTroubledUsers, USERS_PER_PAGE, troubleQueryOf, useTroubledUsers } from '../../hooks/use-trouble.js';
import { usePageTitle } from '../../page-title.js';
import { quoted } from '../../shell-command.js';
import { SyncAllDialog } from './sync-all-dialog.js';

/** Causes that another sync may fix. */
const SYNCABLE = new Set(['vendor_failing', 'webhook_silent']);

const CSV_COLUMNS = ['user_id', 'first_name', 'last_name', 'email', 'since', 'last_synced_at'] as const;

/** Users with one cause at one provider. */
export function TroublePage() {
  const [query] = useSearchParams();
  const [isSyncing, setSyncing] = useState(false);
  const provider = query.get('provider') ?? '';
  const cause = query.get('cause') ?? '';
  const title = `${CAUSE_NAMES[cause as keyof typeof CAUSE_NAMES] ?? cause} · ${providerName(provider)}`;
  usePageTitle(title, 'Home');
  const filter = { provider, cause };
  const pages = useTroubledUsers(filter);
  const listed = pages.data?.pages.flatMap(({ items }) => items) ?? [];
  // Removes duplicates, because a user may move between pages while the list loads.
  const users = [...new Map(listed.map((user) => [user.user_id, user])).values()];
  // Uses the last page's total, because the group may change while pages load.
  const total = pages.data?.pages.at(-1)?.total;
  return (
    <>
      <div className="row spread">
        <h1>
          {title} {total !== undefined && <span className="muted">{formatCount(total)}</span>}
        </h1>
        <div className="row">
          <CsvButton name={cause} columns={CSV_COLUMNS} read={(signal) => readTroubledUsers(filter, signal)} />
          {SYNCABLE.has(cause) && users.length > 0 && (
            <button type="button" className="primary" onClick={() => setSyncing(true)}>
              <RefreshCw className="icon" aria-hidden="true" /> Sync all…
            </button>
          )}
        </div>
      </div>
      {pages.error && !pages.isFetchNextPageError && <Problem error={pages.error} retry={pages.refetch} />}
      {pages.isPending && <Loading />}
      {pages.data && <AffectedUsers users={users} />}
      <MoreRows count={users.length} pages={pages} />
      <Commands
        healthctl={`healthctl trouble users ${quoted(cause)} --provider ${quoted(provider)}`}
        route={listTroubledUsers}
        input={{ query: { ...troubleQueryOf(filter), limit: USERS_PER_PAGE } }}
      />
      {isSyncing && total !== undefined && (
        <SyncAllDialog provider={provider} users={users} total={total} onClose={() => setSyncing(false)} />
      )}
    </>
  );
}

function AffectedUsers({ users }: { users: TroubledUsers['items'] }) {
  return (
    <TableCard
      stacked
      name="Users"
      columns={['Name', 'Email', 'Since', 'Last synced']}
      empty="No users have this problem now."
    >
      {users.map((user) => (
        <tr key={user.user_id}>
          <td className="name">
            <Link to={`/users/${user.user_id}/connections`}>{userName({ ...user, id: user.user_id })}</Link>
          </td>
          <td className="name">{user.email ?? <None />}</td>
          <td>
            <Instant at={user.since} />
          </td>
          <td>
            <Instant at={user.last_synced_at} />
          </td>
        </tr>
      ))}
    </TableCard>
  );
}
