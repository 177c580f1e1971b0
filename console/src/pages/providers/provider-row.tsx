import type { ProviderSettingResponse } from '@healthd/schemas';
import { useState } from 'react';
import { Link } from 'react-router';
import { loadDialog } from '../../components/load-dialog.js';
import { None } from '../../components/none.js';
import { Problem } from '../../components/problem.js';
import { ProviderName } from '../../components/provider-name.js';
import {
  EnabledControl,
  GranularityControl,
  ModeControl,
  useProviderChoice,
  WebhookState,
} from './provider-controls.js';

const QuotaDialog = loadDialog(async () => (await import('./quota-dialog.js')).QuotaDialog);

/** Provider row. Each control changes one setting. */
export function ProviderRow({ setting: stored }: { setting: ProviderSettingResponse }) {
  const choice = useProviderChoice(stored);
  const { provider, name, icon_url: icon } = stored;
  return (
    <tr aria-busy={choice.isPending}>
      <td className="name">
        <Link to={`/providers/${provider}`}>
          <ProviderName provider={provider} icon={icon} />
        </Link>
        {choice.error && <Problem error={choice.error} />}
      </td>
      <td>
        <EnabledControl choice={choice} />
      </td>
      <td>
        <ModeControl choice={choice} />
      </td>
      <td>
        <GranularityControl choice={choice} />
      </td>
      <td className="wide">
        <WebhookState setting={choice.setting} />
      </td>
      <td>{stored.has_cloud_api && stored.is_configured ? <Quota provider={provider} name={name} /> : <None />}</td>
    </tr>
  );
}

/** Loads the quota on demand, because the service counts a day's requests for the quota. */
function Quota({ provider, name }: { provider: string; name: string }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" aria-haspopup="dialog" aria-label={`Quota of ${name}`} onClick={() => setOpen(true)}>
        Quota…
      </button>
      {isOpen && <QuotaDialog provider={provider} name={name} onClose={close} />}
    </>
  );
}
