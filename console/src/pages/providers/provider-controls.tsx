import { DATA_GRANULARITIES, LIVE_SYNC_MODES, type LiveSyncMode } from '@healthd/contract';
import type { ProviderSettingResponse } from '@healthd/schemas';
import { useState } from 'react';
import { loadDialog } from '../../components/load-dialog.js';
import { None } from '../../components/none.js';
import { type ProviderChange, useUpdateProvider } from '../../hooks/use-providers.js';

const EnableDialog = loadDialog(async () => (await import('./enable-dialog.js')).EnableDialog);
const ModeDialog = loadDialog(async () => (await import('./mode-dialog.js')).ModeDialog);

const MODES = { pull: 'Polling', webhook: 'Webhooks' } as const;

/** Provider setting. The selected value shows while it is being saved. */
export function useProviderChoice(stored: ProviderSettingResponse) {
  const [chosen, setChosen] = useState<ProviderChange>({});
  const change = useUpdateProvider(stored.provider, () => setChosen({}));
  const choose = (body: ProviderChange) => {
    setChosen(body);
    change.mutate(body);
  };
  return { setting: { ...stored, ...chosen }, choose, isPending: change.isPending, error: change.error };
}

type Choice = ReturnType<typeof useProviderChoice>;

/** Enables or disables the provider. A dialog shows the number of affected users. */
export function EnabledControl({ choice: { setting, choose, isPending } }: { choice: Choice }) {
  const [isConfirming, setConfirming] = useState(false);
  const close = () => setConfirming(false);
  if (!setting.is_configured) return <span className="badge plain">no credentials</span>;
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          checked={setting.is_enabled}
          disabled={isPending}
          onChange={() => setConfirming(true)}
          aria-label={`${setting.name} is enabled`}
        />
        <span>{setting.is_enabled ? 'enabled' : 'disabled'}</span>
      </label>
      {isConfirming && (
        <EnableDialog
          setting={setting}
          onConfirm={() => {
            choose({ is_enabled: !setting.is_enabled });
            close();
          }}
          onClose={close}
        />
      )}
    </>
  );
}

/** Selects polling or webhooks. A dialog explains the effect first. */
export function ModeControl({ choice: { setting, choose, isPending } }: { choice: Choice }) {
  const [pending, setPending] = useState<LiveSyncMode>();
  const close = () => setPending(undefined);
  if (!setting.live_sync_configurable) {
    return <span className="muted">{setting.live_sync_mode ? MODES[setting.live_sync_mode] : 'Device push'}</span>;
  }
  return (
    <>
      <select
        aria-label={`Syncing of ${setting.name}`}
        value={setting.live_sync_mode ?? ''}
        disabled={isPending}
        onChange={({ target }) => setPending(LIVE_SYNC_MODES.find((mode) => mode === target.value))}
      >
        {LIVE_SYNC_MODES.map((mode) => (
          <option key={mode} value={mode}>
            {MODES[mode]}
          </option>
        ))}
      </select>
      {pending && (
        <ModeDialog
          name={setting.name}
          mode={pending}
          onSwitch={() => {
            choose({ live_sync_mode: pending });
            close();
          }}
          onClose={close}
        />
      )}
    </>
  );
}

/** Selects the resolution of requested samples. */
export function GranularityControl({ choice: { setting, choose, isPending } }: { choice: Choice }) {
  if (!setting.has_cloud_api) return <None />;
  return (
    <select
      aria-label={`Granularity of ${setting.name}`}
      value={setting.data_granularity ?? ''}
      disabled={isPending}
      onChange={({ target }) =>
        choose({ data_granularity: DATA_GRANULARITIES.find((one) => one === target.value) ?? null })
      }
    >
      <option value="">service default</option>
      {DATA_GRANULARITIES.map((grain) => (
        <option key={grain} value={grain}>
          {grain}
        </option>
      ))}
    </select>
  );
}

/** State of the webhook registration. */
export function WebhookState({ setting }: { setting: ProviderSettingResponse }) {
  switch (setting.subscriber_state) {
    case null:
      return <None />;
    case 'active':
      return <span className="badge good">active</span>;
    case 'registering':
      return <span className="badge plain">registering</span>;
    case 'unmanaged':
      return (
        <>
          <span className="badge warn">unmanaged</span>{' '}
          <span className="muted">register the webhook manually at the vendor</span>
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
