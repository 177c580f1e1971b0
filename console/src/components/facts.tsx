import type { ReactNode } from 'react';

interface FactsProps {
  facts: readonly (readonly [name: string, value: ReactNode])[];
}

/** List of names and values. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
