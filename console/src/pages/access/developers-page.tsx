import { listDevelopers } from '@healthd/contract';
import type { DeveloperResponse } from '@healthd/schemas';
import { useState } from 'react';
import { Commands } from '../../components/commands.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { CsvButton, whole } from '../../components/csv-button.js';
import { Instant } from '../../components/instant.js';
import { loadDialog } from '../../components/load-dialog.js';
import { Loading } from '../../components/loading.js';
import { Problem } from '../../components/problem.js';
import { TableCard } from '../../components/table-card.js';
import { useCurrentDeveloper, useDeleteDeveloper, useDevelopers } from '../../hooks/use-developers.js';
import { usePageTitle } from '../../page-title.js';
import { developerName } from './developer-name.js';
import { Invitations } from './invitations.js';

const InviteDialog = loadDialog(async () => (await import('./invite-dialog.js')).InviteDialog);

const COLUMNS = ['Name', 'Email', 'Since', 'Actions'];
const CSV_COLUMNS = ['id', 'first_name', 'last_name', 'email', 'created_at'] as const;

/** Developers and invitations. */
export function DevelopersPage() {
  usePageTitle('Developers');
  const developers = useDevelopers();
  const self = useCurrentDeveloper();
  const remove = useDeleteDeveloper();
  const [isInviting, setInviting] = useState(false);
  const [removed, setRemoved] = useState<DeveloperResponse>();
  return (
    <>
      <div className="row spread">
        <h1>Developers</h1>
        <div className="row">
          <CsvButton name="developers" columns={CSV_COLUMNS} read={() => whole(developers.data)} />
          <button type="button" className="primary" onClick={() => setInviting(true)}>
            Invite
          </button>
        </div>
      </div>
      {developers.error && <Problem error={developers.error} retry={developers.refetch} />}
      {developers.isPending && <Loading />}
      {developers.data && (
        <TableCard name="Developers" stacked columns={COLUMNS}>
          {developers.data.map((developer) => (
            <tr key={developer.id}>
              <td className="name">{developerName(developer)}</td>
              <td className="name">{developer.email}</td>
              <td>
                <Instant at={developer.created_at} />
              </td>
              <td>
                {developer.id === self.data?.id ? (
                  <span className="muted">you</span>
                ) : (
                  <div className="actions">
                    <button
                      type="button"
                      className="danger"
                      aria-label={`Delete ${developer.email}`}
                      onClick={() => setRemoved(developer)}
                    >
                      Delete…
                    </button>
                  </div>
                )}
              </td>
            </tr>
          ))}
        </TableCard>
      )}
      <Invitations />
      <Commands healthctl="healthctl developers list" route={listDevelopers} input={{}} />
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {removed && (
        <ConfirmDialog
          title={`Delete ${removed.email}?`}
          action="Delete developer"
          onConfirm={() => remove.mutateAsync(removed.id)}
          onClose={() => setRemoved(undefined)}
        >
          The developer is logged out everywhere and cannot log in again. Their API keys keep working. Their
          applications become available to all developers.
        </ConfirmDialog>
      )}
    </>
  );
}
