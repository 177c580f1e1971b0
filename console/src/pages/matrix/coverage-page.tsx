import { getCoverage } from '@healthd/contract';
import type { Coverage } from '@healthd/schemas';
import { useQuery } from '@tanstack/react-query';
import { Download, Printer } from 'lucide-react';
import { Commands } from '../../components/commands.js';
import { Loading } from '../../components/loading.js';
import { Problem } from '../../components/problem.js';
import { providerName } from '../../components/provider-name.js';
import { SearchBox } from '../../components/search-box.js';
import { saveCsv } from '../../csv.js';
import { formatCount } from '../../format.js';
import { queryKeys } from '../../hooks/query-keys.js';
import { type FilterChange, useFilters } from '../../hooks/use-filters.js';
import { usePageTitle } from '../../page-title.js';
import { client } from '../../session.js';
import { coverageCsv, useCoverageTable } from './coverage-table.js';
import { Matrix } from './matrix.js';

/** Coverage: metrics by provider. The URL stores the search and the providers. */
export function CoveragePage() {
  usePageTitle('Coverage');
  const coverage = useCoverage();
  if (coverage.error) return <Problem error={coverage.error} retry={coverage.refetch} />;
  if (!coverage.data) return <Loading />;
  return <WholeCoverage coverage={coverage.data} />;
}

function WholeCoverage({ coverage }: { coverage: Coverage }) {
  const [query, setQuery] = useFilters();
  const search = query.get('search') ?? '';
  const selectedProviders = query.getAll('provider');
  const table = useCoverageTable(coverage, search, selectedProviders);
  const { providers } = coverage;
  const count = table.getFilteredRowModel().rows.length;
  const change = (filters: FilterChange) => setQuery(filters, { replace: true });
  return (
    <>
      <div className="row spread">
        <h1>
          Coverage <span className="muted">{formatCount(count)}</span>
        </h1>
        <div className="row unprinted">
          <SearchBox label="Search by metric or unit" value={search} onSearch={(text) => change({ search: text })} />
          <button type="button" onClick={() => saveCsv('coverage.csv', coverageCsv(table))}>
            <Download className="icon" aria-hidden="true" /> CSV
          </button>
          <button type="button" onClick={() => print()}>
            <Printer className="icon" aria-hidden="true" /> Print
          </button>
        </div>
      </div>
      <fieldset className="row plain-row unprinted">
        <legend className="muted">Delivered by</legend>
        {providers.map((provider) => (
          <label key={provider} className="check">
            <input
              type="checkbox"
              checked={selectedProviders.includes(provider)}
              onChange={({ target }) =>
                change({
                  provider: target.checked
                    ? [...selectedProviders, provider]
                    : selectedProviders.filter((one) => one !== provider),
                })
              }
            />
            <span>{providerName(provider)}</span>
          </label>
        ))}
      </fieldset>
      {count === 0 ? <div className="card empty">No metrics match these filters.</div> : <Matrix table={table} />}
      <Commands healthctl="healthctl coverage" route={getCoverage} input={{}} />
    </>
  );
}

/** Returns the provider coverage, which only changes with the service version. */
function useCoverage() {
  return useQuery({
    queryKey: queryKeys.coverage(),
    queryFn: ({ signal }) => client.call(getCoverage, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
