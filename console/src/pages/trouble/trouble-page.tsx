import { listTroubledUsers } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type { DiagnosisCause, TroubledUsers } from '@healthd/schemas';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { CAUSE_NAMES } from '../../causes.js';
import { Commands } from '../../components/commands.js';
import { CsvButton, whole } from '../../components/csv-button.js';
import { Instant } from '../../components/instant.js';
import { Loading } from '../../components/loading.js';
import { None } from '../../components/none.js';
import { Problem } from '../../components/problem.js';
import { providerName } from '../../components/provider-name.js';
import { TableCard } from '../../components/table-card.js';
import { formatCount, userName } from '../../format.js';
import { TROUBLED_SHOWN, useTroubledUsers } from '../../hooks/use-trouble.js';
import { usePageTitle } from '../../page-title.js';
import { quoted } from '../../shell-command.js';
import { csvNameOf } from './csv-name.js';
import { SyncAllDialog } from './sync-all-dialog.js';

/** Causes that another sync may mend. */
const SYNCABLE = new Set(['vendor_failing', 'webhook_silent']);

const CSV_COLUMNS = ['user_id', 'first_name', 'last_name', 'email', 'since', 'last_synced_at'] as const;

/** The people of one cause at one provider. */
export function TroublePage() {
  const [query] = useSearchParams();
  const [isSyncing, setSyncing] = useState(false);
  const provider = query.get('provider') ?? '';
  const cause = query.get('cause') ?? '';
  const title = `${CAUSE_NAMES[cause as keyof typeof CAUSE_NAMES] ?? cause} · ${providerName(provider)}`;
  usePageTitle(title, 'Home');
  const users = useTroubledUsers({ provider, cause });
  return (
    <>
      <div className="row spread">
        <h1>
          {title} {users.data && <span className="muted">{formatCount(users.data.total)}</span>}
        </h1>
        <div className="row">
          {users.data && <Truncation users={users.data} />}
          <CsvButton name={csvNameOf(cause, users.data)} columns={CSV_COLUMNS} read={() => whole(users.data?.items)} />
          {SYNCABLE.has(cause) && users.data && users.data.items.length > 0 && (
            <button type="button" className="primary" onClick={() => setSyncing(true)}>
              <RefreshCw className="icon" aria-hidden="true" /> Sync all…
            </button>
          )}
        </div>
      </div>
      {users.error && <Problem error={users.error} retry={users.refetch} />}
      {users.isPending && <Loading />}
      {users.data && <People users={users.data} />}
      <Commands
        healthctl={`healthctl trouble users ${quoted(cause)} --provider ${quoted(provider)}`}
        route={listTroubledUsers}
        input={{ query: { provider: provider as ProviderId, cause: cause as DiagnosisCause, limit: TROUBLED_SHOWN } }}
      />
      {isSyncing && users.data && (
        <SyncAllDialog provider={provider} users={users.data} onClose={() => setSyncing(false)} />
      )}
    </>
  );
}

/** Says beside the button what the table and its CSV leave out. */
function Truncation({ users: { items, total } }: { users: TroubledUsers }) {
  if (items.length >= total) return null;
  return (
    <span className="muted">
      The newest {formatCount(items.length)} of {formatCount(total)}
    </span>
  );
}

function People({ users }: { users: TroubledUsers }) {
  return (
    <TableCard
      stacked
      name="People"
      columns={['Name', 'Email', 'Since', 'Last synced']}
      empty="No user has this trouble any more."
    >
      {users.items.map((user) => (
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
