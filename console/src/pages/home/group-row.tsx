import type { TroubleGroup } from '@healthd/schemas';
import { Link } from 'react-router';
import { CAUSE_NAMES } from '../../causes.js';
import { Instant } from '../../components/instant.js';
import { SeverityMark } from '../../components/severity-mark.js';
import { formatCount } from '../../format.js';
import { Trend } from './trend.js';

/** Row of one cause at one provider, with a link to its users. */
export function GroupRow({ group }: { group: TroubleGroup }) {
  const { provider, provider_name: name, cause, connections, details } = group;
  const query = new URLSearchParams({ provider, cause });
  return (
    <li className="group">
      <SeverityMark severity={group.severity} />
      <div className="group-what">
        <b>
          {CAUSE_NAMES[cause]} · {name}
        </b>
        {details.length > 0 && <div className="muted">{details.map(inWords).join(' · ')}</div>}
      </div>
      <Trend points={group.trend} now={connections} />
      <div className="group-when muted">
        {group.first_since && (
          <>
            since <Instant at={group.first_since} />
            {group.last_since !== group.first_since && (
              <>
                <br />
                latest <Instant at={group.last_since} />
              </>
            )}
          </>
        )}
      </div>
      <Link className="button" to={`/trouble?${query}`}>
        {formatCount(connections)} {connections === 1 ? 'user' : 'users'}
      </Link>
    </li>
  );
}

const ENDS: Readonly<Record<string, string>> = {
  refresh_failed: 'consent revoked at the provider',
  token_expired: 'consent expired and cannot be renewed',
  token_unreadable: 'stored tokens are unreadable',
};

function inWords(detail: string): string {
  return ENDS[detail] ?? detail.replaceAll('_', ' ');
}
