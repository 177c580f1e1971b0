import type { ProviderId } from '@healthd/model';
import { useProviders } from '../hooks/use-providers.js';
import { FilterSelect } from './filter-select.js';
import { providerName } from './provider-name.js';

interface ProviderFilterProps {
  value: ProviderId | undefined;
  onChange: (provider: ProviderId | undefined) => void;
}

/** Filters a list by provider. */
export function ProviderFilter({ value, onChange }: ProviderFilterProps) {
  const providers = useProviders({ includeUnconfigured: true });
  const known = new Set([
    ...(providers.data ?? []).map(({ provider }) => provider as ProviderId),
    ...(value ? [value] : []),
  ]);
  return (
    <FilterSelect
      label="Provider"
      all="All providers"
      options={[...known].map((provider) => [provider, providerName(provider)])}
      value={value}
      onChange={onChange}
    />
  );
}
