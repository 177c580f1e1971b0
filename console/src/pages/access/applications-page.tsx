import { listApplications } from '@healthd/contract';
import type { ApplicationResponse } from '@healthd/schemas';
import { useState } from 'react';
import { Commands } from '../../components/commands.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { CsvButton, whole } from '../../components/csv-button.js';
import { Instant } from '../../components/instant.js';
import { loadDialog } from '../../components/load-dialog.js';
import { Loading } from '../../components/loading.js';
import { Problem } from '../../components/problem.js';
import { TableCard } from '../../components/table-card.js';
import { useApplications, useDeleteApplication } from '../../hooks/use-applications.js';
import { usePageTitle } from '../../page-title.js';

const NewApplicationDialog = loadDialog(async () => (await import('./application-dialogs.js')).NewApplicationDialog);
const RotateSecretDialog = loadDialog(async () => (await import('./application-dialogs.js')).RotateSecretDialog);

const COLUMNS = ['Name', 'App id', 'Created', 'Actions'];
const CSV_COLUMNS = ['app_id', 'name', 'created_at'] as const;

type Opened = { what: 'new' } | { what: 'rotate' | 'delete'; application: ApplicationResponse };

/** Applications that can obtain tokens for users. */
export function ApplicationsPage() {
  usePageTitle('Applications');
  const applications = useApplications();
  const remove = useDeleteApplication();
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  return (
    <>
      <div className="row spread">
        <h1>Applications</h1>
        <div className="row">
          <CsvButton name="applications" columns={CSV_COLUMNS} read={() => whole(applications.data)} />
          <button type="button" className="primary" onClick={() => setOpened({ what: 'new' })}>
            New application
          </button>
        </div>
      </div>
      {applications.error && <Problem error={applications.error} retry={applications.refetch} />}
      {applications.isPending && <Loading />}
      {applications.data && (
        <TableCard
          stacked
          name="Applications"
          columns={COLUMNS}
          empty="No applications yet. Create an application to let your server obtain tokens for phones."
        >
          {applications.data.map((application) => (
            <tr key={application.id}>
              <td className="name">{application.name}</td>
              <td className="mono">{application.app_id}</td>
              <td>
                <Instant at={application.created_at} />
              </td>
              <td>
                <div className="actions">
                  <button
                    type="button"
                    aria-label={`Rotate secret of ${application.name}`}
                    onClick={() => setOpened({ what: 'rotate', application })}
                  >
                    Rotate secret…
                  </button>
                  <button
                    type="button"
                    className="danger"
                    aria-label={`Delete ${application.name}`}
                    onClick={() => setOpened({ what: 'delete', application })}
                  >
                    Delete…
                  </button>
                </div>
              </td>
            </tr>
          ))}
        </TableCard>
      )}
      <Commands healthctl="healthctl apps list" route={listApplications} input={{}} />
      {opened?.what === 'new' && <NewApplicationDialog onClose={close} />}
      {opened?.what === 'rotate' && <RotateSecretDialog application={opened.application} onClose={close} />}
      {opened?.what === 'delete' && (
        <ConfirmDialog
          title={`Delete “${opened.application.name}”?`}
          action="Delete application"
          onConfirm={() => remove.mutateAsync(opened.application.app_id)}
          onClose={close}
        >
          All tokens that the application issued expire within a second. Phones with these tokens are rejected until
          they receive new tokens. Stored data is kept.
        </ConfirmDialog>
      )}
    </>
  );
}
