import type { SourceMetadata } from '@healthd/schemas';
import { EyeOff } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import { providerName } from './provider-name.js';

/** Row of a summary whose figures may be withheld. */
interface SummaryRow<Group extends string> {
  sources: Readonly<Record<Group, SourceMetadata | null>>;
  withheld?: string[] | undefined;
}

/** True if the vendor's terms hide the figures of this group. */
export function isWithheld<Group extends string>({ sources, withheld = [] }: SummaryRow<Group>, group: Group): boolean {
  const source = sources[group];
  return source !== null && withheld.includes(source.provider);
}

/** Replaces a figure that a vendor's terms hide. */
function WithheldMark() {
  return (
    <span className="withheld" title="Withheld: see the note below">
      <EyeOff className="icon" aria-hidden="true" />
      <span className="unseen">withheld</span>
    </span>
  );
}

interface FigureProps<Group extends string> {
  row: SummaryRow<Group>;
  group: Group;
  children: ReactNode;
}

/** Figure of a group, or a mark if the figure is withheld. */
export function Figure<Group extends string>({ row, group, children }: FigureProps<Group>) {
  return isWithheld(row, group) ? <WithheldMark /> : children;
}

/** Right-aligned cell with a figure of a group. */
export function FigureCell<Group extends string>(props: FigureProps<Group>) {
  return (
    <td className="number">
      <Figure {...props} />
    </td>
  );
}

/** Explains the marks of withheld figures; nothing if no figure is withheld. */
export function WithheldHint({ providers }: { providers: readonly string[] | undefined }) {
  if (!providers || providers.length === 0) return null;
  return (
    <p className="message muted withheld-note">
      <EyeOff className="icon" aria-hidden="true" />
      <span>
        Withheld. The terms of{' '}
        {providers.map((provider, at) => (
          <Fragment key={provider}>
            {at > 0 && ', '}
            <Link to={`/providers/${provider}`}>{providerName(provider)}</Link>
          </Fragment>
        ))}{' '}
        forbid showing these figures in a summary. They are still stored.
      </span>
    </p>
  );
}
