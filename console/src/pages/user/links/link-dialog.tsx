import { CONNECT_LANGUAGES, type ConnectLanguage } from '@healthd/contract';
import { PROVIDER_NAMES, type ProviderId } from '@healthd/model';
import type { ConnectLink, NewConnectLink } from '@healthd/schemas';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Dialog } from '../../../components/dialog.js';
import { CheckboxGroup } from '../../../components/form/checkbox-group.js';
import { DialogForm } from '../../../components/form/dialog-form.js';
import { FormField } from '../../../components/form/form-field.js';
import { Problem } from '../../../components/problem.js';
import { providerName } from '../../../components/provider-name.js';
import { timeLeft } from '../../../format.js';
import { useConnectLinks, useCreateConnectLink, useRenewConnectLink } from '../../../hooks/use-connect-links.js';
import { useNow } from '../../../hooks/use-now.js';
import { useProviders } from '../../../hooks/use-providers.js';
import { NewLink } from './new-link.js';
import { isRenewableFor, remainingProviders } from './renewable.js';

const LASTS = [
  [60, 'an hour'],
  [1_440, 'a day'],
  [10_080, 'a week'],
] as const;
const LANGUAGE_NAMES: Record<ConnectLanguage, string> = { en: 'English', de: 'German' };

interface LinkValues {
  /** Empty means all providers. */
  providers: ProviderId[];
  expires_in_minutes: number;
  /** Empty means the browser's language. */
  language: ConnectLanguage | '';
}

interface LinkDialogProps {
  userId: string;
  /** Initially selected provider. If undefined, no provider is selected and the link offers all providers. */
  provider?: ProviderId | undefined;
  onClose: () => void;
}

/** Creates a connect link and shows its URL once. */
export function LinkDialog({ userId, provider, onClose }: LinkDialogProps) {
  const providers = useProviders({ includeUnconfigured: false });
  const create = useCreateConnectLink(userId);
  const [made, setMade] = useState<NewConnectLink>();
  const renew = useRenewConnectLink(userId, setMade);
  const [last] = useConnectLinks(userId).data?.items ?? [];
  const now = useNow();
  const isPending = create.isPending || renew.isPending;
  const offered = providers.data?.filter((one) => one.has_cloud_api && one.is_configured && one.is_enabled) ?? [];
  const form = useForm<LinkValues>({
    defaultValues: { providers: provider ? [provider] : [], expires_in_minutes: 1_440, language: '' },
  });
  const makeLink = async ({ providers: chosen, expires_in_minutes, language }: LinkValues) => {
    const body = { providers: chosen.length > 0 ? chosen : null, expires_in_minutes, language: language || null };
    setMade(await create.mutateAsync(body));
  };
  const again = () => {
    setMade(undefined);
    renew.reset();
  };
  if (made) return <NewLink link={made} renew={renew} onAgain={again} onClose={onClose} />;
  return (
    <Dialog title="Create a connect link" locked={isPending} onClose={onClose}>
      {last && isRenewableFor(provider, last, now) && (
        <OldLink link={last} nowMs={now} disabled={isPending} onRenew={() => renew.mutate(last.id)} />
      )}
      <DialogForm
        form={form}
        onSubmit={makeLink}
        error={create.error}
        action="Create link"
        locked={isPending}
        onClose={onClose}
      >
        <p className="muted">
          The person opens the link without a login, selects a provider and gives consent there. Send the link only to
          that person.
        </p>
        <CheckboxGroup
          form={form}
          name="providers"
          label="Providers"
          hint="Without a selection, the link offers all providers."
          options={offered.map((one) => [one.provider, PROVIDER_NAMES[one.provider as ProviderId]] as const)}
        />
        <div className="row">
          <FormField form={form} name="expires_in_minutes" label="Valid for" rules={{ valueAsNumber: true }}>
            {(control) => (
              <select {...control}>
                {LASTS.map(([minutes, words]) => (
                  <option key={minutes} value={minutes}>
                    {words}
                  </option>
                ))}
              </select>
            )}
          </FormField>
          <FormField form={form} name="language" label="Language">
            {(control) => (
              <select {...control}>
                <option value="">browser language</option>
                {CONNECT_LANGUAGES.map((language) => (
                  <option key={language} value={language}>
                    {LANGUAGE_NAMES[language]}
                  </option>
                ))}
              </select>
            )}
          </FormField>
        </div>
        {providers.error && <Problem error={providers.error} />}
        {renew.error && <Problem error={renew.error} />}
      </DialogForm>
    </Dialog>
  );
}

interface OldLinkProps {
  link: ConnectLink;
  nowMs: number;
  disabled: boolean;
  onRenew: () => void;
}

/** Expired or soon expiring link that can be renewed. */
function OldLink({ link, nowMs, disabled, onRenew }: OldLinkProps) {
  const names = remainingProviders(link).map(providerName).join(', ');
  const isOver = Date.parse(link.expires_at) <= nowMs;
  return (
    <div className="row spread notice">
      <span>
        {isOver
          ? `The last link (${names}) has expired.`
          : `The last link (${names}) is valid for ${timeLeft(link.expires_at, nowMs)}.`}
      </span>
      <button type="button" disabled={disabled} onClick={onRenew}>
        Renew link
      </button>
    </div>
  );
}
