import type { ConnectionResponse } from '@healthd/schemas';
import { Instant } from '../../components/instant.js';
import { NextTry } from '../../components/next-try.js';

const REASONS: Record<NonNullable<ConnectionResponse['status_reason']>, string> = {
  user_disconnected: 'disconnected here',
  push_allowed: 'a device received new credentials',
  refresh_failed: 'consent revoked at the provider',
  deregistered: 'consent ended at the provider',
  token_expired: 'the access token expired and could not be renewed',
  token_unreadable: 'the stored tokens are unreadable',
};

/** Connection state and its remedy. */
export function ConnectionState({ connection }: { connection: ConnectionResponse }) {
  const { status, status_reason: reason, account_state: account } = connection;
  if (status !== 'active') {
    return (
      <>
        <span className="badge bad">{status}</span> {reason && <span className="muted">{REASONS[reason]}</span>}
      </>
    );
  }
  if (account === 'not_linked') {
    return (
      <>
        <span className="badge warn">no data yet</span> <span className="muted">the account has no health profile</span>
      </>
    );
  }
  if (account === 'not_ready') return <span className="badge warn">being set up</span>;
  if (connection.last_error !== null) {
    return (
      <>
        <span className="badge warn">failing</span> <LastError connection={connection} />
      </>
    );
  }
  return <span className="badge good">active</span>;
}

type Failing = Pick<ConnectionResponse, 'last_error' | 'failing_since' | 'next_try_at'>;

/** Last error of a connection, its start and the next attempt. */
function LastError({ connection }: { connection: Failing }) {
  const { last_error: error, failing_since: since, next_try_at: next } = connection;
  return (
    <>
      <div className="clamped" title={error ?? undefined}>
        {error}
      </div>
      <div className="muted">
        since <Instant at={since} />
        {next !== null && (
          <>
            {' '}
            · next try <NextTry at={next} />
          </>
        )}
      </div>
    </>
  );
}
