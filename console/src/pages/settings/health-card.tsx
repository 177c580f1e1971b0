import { VERSION_HEADER } from '@healthd/contract';
import type { SystemStatus } from '@healthd/schemas';
import { useQuery } from '@tanstack/react-query';
import { Loading } from '../../components/loading.js';
import { Problem } from '../../components/problem.js';
import { SeverityMark } from '../../components/severity-mark.js';
import { formatCount, humanize } from '../../format.js';
import { queryKeys } from '../../hooks/query-keys.js';
import { useSystemStatus } from '../../hooks/use-service-activity.js';

const FRESH_MS = 15_000;

/** Health of the service's parts, from `/health/ready`. */
interface Health {
  status: 'ready' | 'not_ready';
  checks: Record<string, 'ok' | 'failing'>;
  disk: 'ok' | 'full';
}

/** Health with the service version, if reported. */
interface VersionedHealth extends Health {
  version: string | null;
}

/** Requests the service health. The response is 503 while a part fails. */
function useServiceHealth() {
  return useQuery({
    queryKey: queryKeys.health(),
    queryFn: async ({ signal }): Promise<VersionedHealth> => {
      const response = await fetch('/health/ready', { signal, cache: 'no-store' });
      return { ...((await response.json()) as Health), version: response.headers.get(VERSION_HEADER) };
    },
    refetchInterval: FRESH_MS,
  });
}

/** Health of the service's parts, and unfinished repairs of stored data. */
export function HealthCard() {
  const health = useServiceHealth();
  const status = useSystemStatus();
  if (health.error) return <Problem error={health.error} retry={health.refetch} />;
  if (!health.data) return <Loading height={102} />;
  return (
    <section className="card" aria-label="Health">
      <header>
        <h2>Health</h2>
        <span className="muted">
          {health.data.version && `version ${health.data.version}, `}checked every 15 seconds
        </span>
      </header>
      <ul className="parts">
        {partsOf(health.data).map((part) => (
          <Part key={part.name} {...part} />
        ))}
      </ul>
      {status.data && <Repairs repairs={status.data.repairs} />}
    </section>
  );
}

/** Progress of the repairs that are not finished. */
export function Repairs({ repairs }: Pick<SystemStatus, 'repairs'>) {
  return repairs
    .filter(({ finished_at: finishedAt }) => finishedAt === null)
    .map(({ name, title, users_done: done, users_total: total, users_failed: failed }) => (
      <p key={name} className="muted">
        {title}: {formatCount(done)} of {formatCount(total)} users
        {failed > 0 && `; ${formatCount(failed)} failed and will be retried`}
      </p>
    ));
}

interface PartState {
  name: string;
  isWell: boolean;
  words: string;
}

function partsOf({ checks, disk }: VersionedHealth): PartState[] {
  const parts = Object.entries(checks).map(([name, state]) => ({ name, isWell: state === 'ok', words: state }));
  return [...parts, { name: 'disk', isWell: disk === 'ok', words: disk }];
}

function Part({ name, isWell, words }: PartState) {
  return (
    <li className="part">
      <SeverityMark severity={isWell ? 'ok' : 'problem'} />
      <span>
        <b>{humanize(name)}</b> <span className="muted">{words}</span>
      </span>
    </li>
  );
}
