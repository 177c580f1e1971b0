import { ApiError } from '@healthd/client';
import { previewUpgrade } from '@healthd/contract';
import { upgradeText } from '../actions/upgrade-text.js';
import type { Cli } from '../cli.js';
import { type Finding, ok, skipped, warning } from './findings.js';

/** Says how many days have another source than before the upgrade to one selection rule; nothing without older data. */
export async function upgradeFindings(cli: Cli): Promise<Finding[]> {
  try {
    const preview = await (await cli.client()).call(previewUpgrade, { signal: cli.signal });
    if (preview.upgraded_at === null) return [];
    const text = upgradeText(preview);
    return preview.days_changed + preview.nights_changed === 0
      ? [ok('selection', text)]
      : [warning('selection', text, 'healthctl priorities preview --upgrade')];
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    if (cli.signal.aborted) throw error;
    return [skipped('selection', 'the comparison with the time before the upgrade takes too long')];
  }
}
