import { isProviderId, PROVIDER_NAMES } from '@healthd/model';

/** A provider with its icon. */
export function ProviderName({ provider, icon }: { provider: string; icon: string | null }) {
  return (
    <span className="provider">
      {icon && <img src={icon} alt="" width="20" height="20" />}
      {isProviderId(provider) ? PROVIDER_NAMES[provider] : provider}
    </span>
  );
}
