import type { ConnectionResponse } from '@healthd/schemas';
import { Instant } from '../../components/instant.js';
import { NextTry } from '../../components/next-try.js';

type Failing = Pick<ConnectionResponse, 'last_error' | 'failing_since' | 'next_try_at'>;

/** Last error of a connection, its start and the next attempt. */
export function LastError({ connection }: { connection: Failing }) {
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
