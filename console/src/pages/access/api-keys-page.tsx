import { listApiKeys } from '@healthd/contract';
import type { ApiKeyResponse } from '@healthd/schemas';
import { useState } from 'react';
import { Commands } from '../../components/commands.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { CsvButton, whole } from '../../components/csv-button.js';
import { Instant } from '../../components/instant.js';
import { loadDialog } from '../../components/load-dialog.js';
import { Loading } from '../../components/loading.js';
import { Problem } from '../../components/problem.js';
import { TableCard } from '../../components/table-card.js';
import { formatInstant } from '../../format.js';
import { useApiKeys, useRevokeApiKey } from '../../hooks/use-api-keys.js';
import { usePageTitle } from '../../page-title.js';
import { DeveloperName } from './developer-name.js';

const NewApiKeyDialog = loadDialog(async () => (await import('./new-api-key-dialog.js')).NewApiKeyDialog);
const RotateApiKeyDialog = loadDialog(async () => (await import('./rotate-api-key-dialog.js')).RotateApiKeyDialog);

const COLUMNS = ['Name', 'Key', 'Permissions', 'Created by', 'Created', 'Last used', 'Expires', 'Actions'];
const CSV_COLUMNS = [
  'id',
  'name',
  'prefix',
  'last_four',
  'created_by',
  'created_at',
  'last_used_at',
  'expires_at',
  'replaced_by',
] as const;

type Opened = { what: 'new' } | { what: 'rotate' | 'revoke'; key: ApiKeyResponse };

/** API keys of programs. */
export function ApiKeysPage() {
  usePageTitle('API keys');
  const keys = useApiKeys();
  const revoke = useRevokeApiKey();
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  return (
    <>
      <div className="row spread">
        <h1>API keys</h1>
        <div className="row">
          <CsvButton name="api-keys" columns={CSV_COLUMNS} read={() => whole(keys.data)} />
          <button type="button" className="primary" onClick={() => setOpened({ what: 'new' })}>
            New key
          </button>
        </div>
      </div>
      {keys.error && <Problem error={keys.error} retry={keys.refetch} />}
      {keys.isPending && <Loading />}
      {keys.data && (
        <TableCard
          name="API keys"
          stacked
          columns={COLUMNS}
          empty="No API keys yet. Create a key to let a program call this service."
        >
          {keys.data.map((key) => (
            <KeyRow key={key.id} apiKey={key} onOpen={(what) => setOpened({ what, key })} />
          ))}
        </TableCard>
      )}
      <Commands healthctl="healthctl keys list" route={listApiKeys} input={{}} />
      {opened?.what === 'new' && <NewApiKeyDialog onClose={close} />}
      {opened?.what === 'rotate' && <RotateApiKeyDialog apiKey={opened.key} onClose={close} />}
      {opened?.what === 'revoke' && (
        <ConfirmDialog
          title={`Revoke “${opened.key.name}”?`}
          action="Revoke key"
          onConfirm={() => revoke.mutateAsync(opened.key.id)}
          onClose={close}
        >
          {use(opened.key)} Every call with the key is rejected within a second. You cannot restore a revoked key.
        </ConfirmDialog>
      )}
    </>
  );
}

function KeyRow({ apiKey, onOpen }: { apiKey: ApiKeyResponse; onOpen: (what: 'rotate' | 'revoke') => void }) {
  return (
    <tr>
      <td className="name">{apiKey.name}</td>
      <td className="mono">
        {apiKey.prefix}…{apiKey.last_four}
      </td>
      <td className="nobreak">{apiKey.scopes?.join(', ') ?? 'everything'}</td>
      <td className="nobreak">
        <DeveloperName id={apiKey.created_by} />
      </td>
      <td>
        <Instant at={apiKey.created_at} />
      </td>
      <td className="nobreak">{apiKey.last_used_at ? <Instant at={apiKey.last_used_at} /> : 'never'}</td>
      <td className="nobreak">{apiKey.expires_at ? <Instant at={apiKey.expires_at} /> : 'never'}</td>
      <td>
        <div className="actions">
          <button type="button" aria-label={`Rotate ${apiKey.name}`} onClick={() => onOpen('rotate')}>
            Rotate…
          </button>
          <button
            type="button"
            className="danger"
            aria-label={`Revoke ${apiKey.name}`}
            onClick={() => onOpen('revoke')}
          >
            Revoke…
          </button>
        </div>
      </td>
    </tr>
  );
}

/** Describes the last use of a key. */
function use({ last_used_at: used }: ApiKeyResponse): string {
  return used ? `Last used at ${formatInstant(used)}.` : 'Never used.';
}
