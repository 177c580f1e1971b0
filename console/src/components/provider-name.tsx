import { isProviderId, PROVIDER_NAMES } from '@healthd/model';

/** Returns the provider's name. Unknown codes stay unchanged. */
export function providerName(provider: string): string {
  return isProviderId(provider) ? PROVIDER_NAMES[provider] : provider;
}

/** Provider name with icon. */
export function ProviderName({ provider, icon }: { provider: string; icon: string | null }) {
  return (
    <span className="provider">
      {icon && <img src={icon} alt="" width="20" height="20" />}
      {providerName(provider)}
    </span>
  );
}
