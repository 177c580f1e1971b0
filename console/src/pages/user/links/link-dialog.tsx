import { CONNECT_LANGUAGES, type ConnectLanguage } from '@healthd/contract';
import { PROVIDER_NAMES, type ProviderId } from '@healthd/model';
import { type FormEvent, useState } from 'react';
import { Dialog } from '../../../components/dialog.js';
import { Problem } from '../../../components/problem.js';
import { useConnectLinks, useCreateConnectLink, useRenewConnectLink } from '../../../hooks/use-connect-links.js';
import { useNow } from '../../../hooks/use-now.js';
import { useProviders } from '../../../hooks/use-providers.js';
import { NewLink } from './new-link.js';
import { OldLink } from './old-link.js';
import { isRenewable } from './renewable.js';

const LASTS = [
  [60, 'an hour'],
  [1_440, 'a day'],
  [10_080, 'a week'],
] as const;
const LANGUAGE_NAMES: Record<ConnectLanguage, string> = { en: 'English', de: 'German' };

interface LinkDialogProps {
  userId: string;
  /** The one to be offered first; all that can be connected without it. */
  provider?: ProviderId | undefined;
  onClose: () => void;
}

/** Makes a link with which the person connects by themselves, and shows its address once. */
export function LinkDialog({ userId, provider, onClose }: LinkDialogProps) {
  const providers = useProviders({ includeUnconfigured: false });
  const [chosen, setChosen] = useState<readonly string[]>(provider ? [provider] : []);
  const create = useCreateConnectLink(userId);
  const renew = useRenewConnectLink(userId);
  const [last] = useConnectLinks(userId).data?.items ?? [];
  const now = useNow();
  const isPending = create.isPending || renew.isPending;
  const offered = providers.data?.filter((one) => one.has_cloud_api && one.is_configured && one.is_enabled) ?? [];
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    create.mutate({
      providers: chosen.length > 0 ? (chosen as ProviderId[]) : null,
      expires_in_minutes: Number(form.get('minutes')),
      language: (form.get('language') || null) as ConnectLanguage | null,
    });
  };
  const again = () => {
    create.reset();
    renew.reset();
  };
  const made = renew.data ?? create.data;
  if (made) return <NewLink link={made} onRenew={renew.mutate} onAgain={again} onClose={onClose} />;
  return (
    <Dialog title="Send a link to connect" locked={isPending} onClose={onClose}>
      {last && isRenewable(last, now) && (
        <OldLink link={last} nowMs={now} disabled={isPending} onRenew={() => renew.mutate(last.id)} />
      )}
      <form onSubmit={submit}>
        <p className="muted">
          The person opens it without a login, chooses a provider and agrees there. Send it to them and to no one else.
        </p>
        <fieldset className="plain">
          <legend>Providers</legend>
          {offered.map((one) => (
            <label key={one.provider} className="check">
              <input
                type="checkbox"
                checked={chosen.includes(one.provider)}
                onChange={({ target }) =>
                  setChosen(target.checked ? [...chosen, one.provider] : chosen.filter((id) => id !== one.provider))
                }
              />
              <span>{PROVIDER_NAMES[one.provider as ProviderId]}</span>
            </label>
          ))}
          <small className="muted">{chosen.length === 0 ? 'None ticked: all are offered.' : ' '}</small>
        </fieldset>
        <div className="row">
          <label>
            Valid for
            <select name="minutes" defaultValue={1_440}>
              {LASTS.map(([minutes, words]) => (
                <option key={minutes} value={minutes}>
                  {words}
                </option>
              ))}
            </select>
          </label>
          <label>
            Language
            <select name="language" defaultValue="">
              <option value="">of their browser</option>
              {CONNECT_LANGUAGES.map((language) => (
                <option key={language} value={language}>
                  {LANGUAGE_NAMES[language]}
                </option>
              ))}
            </select>
          </label>
        </div>
        {providers.error && <Problem error={providers.error} />}
        {create.error && <Problem error={create.error} />}
        {renew.error && <Problem error={renew.error} />}
        <div className="row end">
          <button type="button" disabled={isPending} onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={isPending}>
            Make the link
          </button>
        </div>
      </form>
    </Dialog>
  );
}
