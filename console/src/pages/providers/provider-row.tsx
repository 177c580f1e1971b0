import { DATA_GRANULARITIES, LIVE_SYNC_MODES } from '@healthd/contract';
import type { ProviderSettingResponse } from '@healthd/schemas';
import { useState } from 'react';
import { Problem } from '../../components/problem.js';
import { ProviderName } from '../../components/provider-name.js';
import { type ProviderChange, useUpdateProvider } from '../../hooks/use-providers.js';

const MODES = { pull: 'Polling', webhook: 'Webhooks' } as const;

/** One provider; each control changes one setting at once. */
export function ProviderRow({ setting: stored }: { setting: ProviderSettingResponse }) {
  const { provider, name } = stored;
  // The choice shows while it is being stored.
  const [chosen, setChosen] = useState<ProviderChange>({});
  const change = useUpdateProvider(provider, () => setChosen({}));
  const choose = (body: ProviderChange) => {
    setChosen(body);
    change.mutate(body);
  };
  const setting = { ...stored, ...chosen };
  const isEnabled = setting.is_enabled;
  return (
    <tr aria-busy={change.isPending}>
      <td className="name">
        <ProviderName provider={provider} icon={setting.icon_url} />
        {change.error && <Problem error={change.error} />}
      </td>
      <td>
        {setting.is_configured ? (
          <label className="check">
            <input
              type="checkbox"
              checked={isEnabled}
              disabled={change.isPending}
              onChange={() => choose({ is_enabled: !isEnabled })}
              aria-label={`${name} is enabled`}
            />
            <span>{isEnabled ? 'enabled' : 'disabled'}</span>
          </label>
        ) : (
          <span className="badge plain">no credentials</span>
        )}
      </td>
      <td>
        {setting.live_sync_configurable ? (
          <select
            aria-label={`Syncing of ${name}`}
            value={setting.live_sync_mode ?? ''}
            disabled={change.isPending}
            onChange={(event) => choose({ live_sync_mode: event.target.value as 'pull' | 'webhook' })}
          >
            {LIVE_SYNC_MODES.map((mode) => (
              <option key={mode} value={mode}>
                {MODES[mode]}
              </option>
            ))}
          </select>
        ) : (
          <span className="muted">
            {setting.live_sync_mode ? MODES[setting.live_sync_mode] : 'Sent by phone or file'}
          </span>
        )}
      </td>
      <td>
        {setting.has_cloud_api ? (
          <select
            aria-label={`Granularity of ${name}`}
            value={setting.data_granularity ?? ''}
            disabled={change.isPending}
            onChange={(event) => choose({ data_granularity: event.target.value as 'raw' | 'hourly' | 'daily' })}
          >
            {setting.data_granularity === null && <option value="">service default</option>}
            {DATA_GRANULARITIES.map((grain) => (
              <option key={grain} value={grain}>
                {grain}
              </option>
            ))}
          </select>
        ) : (
          <span className="muted">–</span>
        )}
      </td>
      <td className="wide">
        <Webhooks setting={setting} />
      </td>
    </tr>
  );
}

function Webhooks({ setting }: { setting: ProviderSettingResponse }) {
  switch (setting.subscriber_state) {
    case null:
      return <span className="muted">–</span>;
    case 'active':
      return <span className="badge good">active</span>;
    case 'registering':
      return <span className="badge plain">registering</span>;
    case 'unmanaged':
      return (
        <>
          <span className="badge warn">unmanaged</span>{' '}
          <span className="muted">register the webhook at the provider by hand</span>
        </>
      );
    case 'failed':
      return (
        <>
          <span className="badge bad">failed</span> <code>{setting.subscriber_error}</code>
        </>
      );
  }
}
