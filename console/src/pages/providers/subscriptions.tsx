import { ApiError } from '@healthd/client';
import { listWebhookSubscriptions } from '@healthd/contract';
import { useState } from 'react';
import { Commands } from '../../components/commands.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { loadDialog } from '../../components/load-dialog.js';
import { Loading } from '../../components/loading.js';
import { None } from '../../components/none.js';
import { Problem } from '../../components/problem.js';
import { TableCard } from '../../components/table-card.js';
import { type Subscription, useRenew, useSubscriptions, useUnregister } from '../../hooks/use-subscriptions.js';

const RegisterDialog = loadDialog(async () => (await import('./register-dialog.js')).RegisterDialog);

interface OfProvider {
  provider: string;
  name: string;
}

/** Lists, registers, renews and deletes subscriptions. */
export function Subscriptions({ provider, name }: OfProvider) {
  const subscriptions = useSubscriptions(provider);
  const renew = useRenew(provider);
  const unregister = useUnregister(provider);
  const [isRegistering, setRegistering] = useState(false);
  const [removed, setRemoved] = useState<string>();
  if (subscriptions.isPending) return <Loading height={170} />;
  // The vendor has no subscriptions or needs other credentials. This is not an error.
  const rejection = subscriptions.error;
  if (rejection instanceof ApiError && [409, 501].includes(rejection.status)) {
    return <p className="muted">{rejection.message}.</p>;
  }
  return (
    <>
      <div className="row spread">
        <h2>Registered at {name}</h2>
        <div className="row">
          {subscriptions.data?.some(endsByItself) && (
            <button type="button" disabled={renew.isPending} onClick={() => renew.mutate(undefined)}>
              Renew
            </button>
          )}
          <button type="button" onClick={() => setRegistering(true)}>
            Register…
          </button>
        </div>
      </div>
      {renew.error && <Problem error={renew.error} />}
      {renew.data && (
        <div className="notice" role="status">
          {renew.data.length === 0 ? 'No registration expires soon.' : `${renew.data.length} renewed.`}
        </div>
      )}
      {subscriptions.error && <Problem error={subscriptions.error} retry={subscriptions.refetch} />}
      {subscriptions.data && (
        <TableCard
          stacked
          name="Subscriptions"
          columns={['Id', 'URL', 'Details', 'Actions']}
          empty="No subscriptions yet. In webhook mode, this service registers itself."
        >
          {subscriptions.data.map((one) => (
            <Row key={idOf(one)} subscription={one} onDelete={() => setRemoved(idOf(one))} />
          ))}
        </TableCard>
      )}
      <Commands
        healthctl={`healthctl subscribers list ${provider}`}
        route={listWebhookSubscriptions}
        input={{ params: { provider } }}
      />
      {isRegistering && <RegisterDialog provider={provider} name={name} onClose={() => setRegistering(false)} />}
      {removed !== undefined && (
        <ConfirmDialog
          title={`Delete ${removed}?`}
          action="Delete subscription"
          onConfirm={() => unregister.mutateAsync(removed)}
          onClose={() => setRemoved(undefined)}
        >
          {name} stops sending notifications to this URL. The service polls its connections instead.
        </ConfirmDialog>
      )}
    </>
  );
}

function Row({ subscription, onDelete }: { subscription: Subscription; onDelete: () => void }) {
  const address = [subscription.endpointUri, subscription.callback_url, subscription.callbackUrl].find(
    (one) => typeof one === 'string',
  );
  return (
    <tr>
      <td className="mono">{idOf(subscription)}</td>
      <td className="wide">
        <div className="clamped">{typeof address === 'string' ? address : <None />}</div>
      </td>
      <td>
        <details className="inline">
          <summary>Vendor data</summary>
          <pre>{JSON.stringify(subscription, null, 2)}</pre>
        </details>
      </td>
      <td>
        <div className="actions">
          <button type="button" className="danger" aria-label={`Delete ${idOf(subscription)}`} onClick={onDelete}>
            Delete…
          </button>
        </div>
      </td>
    </tr>
  );
}

/** True if the subscription has an expiry. Only such subscriptions can be renewed. */
function endsByItself(subscription: Subscription): boolean {
  return Object.keys(subscription).some((name) => name.startsWith('expir'));
}

/** Returns the id, which vendors name differently. Keeps the last part of a path, as the service's routes expect. */
function idOf(subscription: Subscription): string {
  const id = subscription.id ?? subscription.subscription_id ?? subscription.name ?? '';
  return String(id).split('/').at(-1) ?? '';
}
