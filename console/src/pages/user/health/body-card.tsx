import type { BodySummary } from '@healthd/schemas';
import { Link } from 'react-router';
import { AttributionLine } from '../../../components/attribution.js';
import { Facts } from '../../../components/facts.js';
import { Instant } from '../../../components/instant.js';
import { Loading } from '../../../components/loading.js';
import { Problem } from '../../../components/problem.js';
import { Figure, WithheldHint } from '../../../components/withheld.js';
import { sourceName } from '../../../format.js';
import { useBody } from '../../../hooks/use-health.js';
import { bodyFigures } from './body-figures.js';

/** Current body values, independent of the period. */
export function BodyCard({ userId }: { userId: string }) {
  const body = useBody(userId);
  if (body.error) return <Problem error={body.error} retry={body.refetch} />;
  if (body.isPending) return <Loading />;
  return (
    <>
      <section className="card" aria-label="Body">
        <header>
          <h2>Body now</h2>
          {body.data && (
            <span className="muted">
              {sourceName(body.data.source)} · <Link to="body">sources of these figures</Link>
            </span>
          )}
        </header>
        {body.data ? <BodyFacts body={body.data} /> : <div className="empty">No body data yet.</div>}
      </section>
      <WithheldHint providers={body.data?.withheld} />
      <AttributionLine of={body.data?.attribution} />
    </>
  );
}

function BodyFacts({ body }: { body: BodySummary }) {
  return (
    <Facts
      facts={bodyFigures(body).map(([name, value, group, measuredAt]) => {
        const shown = (
          <>
            {value} {measuredAt && <Instant at={measuredAt} />}
          </>
        );
        if (group === undefined) return [name, shown];
        return [
          name,
          <Figure key={name} row={body} group={group}>
            {shown}
          </Figure>,
        ];
      })}
    />
  );
}
