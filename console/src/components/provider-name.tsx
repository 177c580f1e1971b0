import { isProviderId, PROVIDER_NAMES } from '@healthd/model';

/** What a provider is called; a code that is none stays as it is. */
export function providerName(provider: string): string {
  return isProviderId(provider) ? PROVIDER_NAMES[provider] : provider;
}

/** A provider with its icon. */
export function ProviderName({ provider, icon }: { provider: string; icon: string | null }) {
  return (
    <span className="provider">
      {icon && <img src={icon} alt="" width="20" height="20" />}
      {providerName(provider)}
    </span>
  );
}
