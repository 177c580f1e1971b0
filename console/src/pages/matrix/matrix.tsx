import { Check } from 'lucide-react';
import { Fragment } from 'react';
import { providerName } from '../../components/provider-name.js';
import { humanize } from '../../format.js';
import { unitName } from '../../units.js';
import type { CoverageGroup } from './coverage-rows.js';

/** One row a metric, one column a provider. The heads of rows and columns stay in sight. */
export function Matrix({ groups, providers }: { groups: readonly CoverageGroup[]; providers: readonly string[] }) {
  return (
    <section className="card">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="scroll" tabIndex={0} aria-label="Coverage">
        <table className="matrix">
          <thead>
            <tr>
              <th scope="col">Metric</th>
              <th scope="col">Unit</th>
              {providers.map((provider) => (
                <th key={provider} scope="col" className="mark">
                  {providerName(provider)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map(({ name, rows }) => (
              <Fragment key={name}>
                <tr className="group-head">
                  <th scope="colgroup" colSpan={providers.length + 2}>
                    {name}
                  </th>
                </tr>
                {rows.map(({ code, unit, providers: having }) => (
                  <tr key={code}>
                    <th scope="row" title={code}>
                      {humanize(code)}
                    </th>
                    <td className="muted">{unit === null ? '–' : unitName(unit)}</td>
                    {providers.map((provider) => (
                      <td key={provider} className="mark">
                        {having.includes(provider) ? (
                          <Check className="icon good-ink" role="img" aria-label="yes" />
                        ) : (
                          <span className="unseen">no</span>
                        )}
                      </td>
                    ))}
                  </tr>
                ))}
              </Fragment>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
