import type { AuditEvent } from '@healthd/schemas';
import { humanize } from '../../format.js';
import { useApiKeys } from '../../hooks/use-api-keys.js';
import { useApplications } from '../../hooks/use-applications.js';
import { DeveloperName } from '../access/developer-name.js';

/** Shows the actor, by name if known. */
export function Actor({ event: { actor_type: type, actor_id: id } }: { event: AuditEvent }) {
  if (id === null) return <>{humanize(type)}</>;
  if (type === 'developer') return <DeveloperName id={id} />;
  return (
    <>
      {type === 'api_key' ? <KeyName id={id} /> : <ApplicationName id={id} />}{' '}
      <span className="muted">{type === 'sdk' ? 'phone' : humanize(type).toLowerCase()}</span>
    </>
  );
}

function KeyName({ id }: { id: string }) {
  const key = useApiKeys().data?.find((one) => one.id === id);
  return <span title={id}>{key?.name ?? id.slice(0, 8)}</span>;
}

function ApplicationName({ id }: { id: string }) {
  const application = useApplications().data?.find((one) => one.id === id || one.app_id === id);
  return <span title={id}>{application?.name ?? id.slice(0, 8)}</span>;
}
