import type { CloudProvider, PullMode } from '../../cloud/index.js';
import { POLAR_CLOUD } from '../cloud.js';
import { POLAR_PULL } from '../pull/index.js';

/** The cloud as an operator has it who wants readings of exercises. */
export const POLAR_WITH_SAMPLES: CloudProvider = {
  ...POLAR_CLOUD,
  pull: {
    ...POLAR_PULL,
    windows: (dataType, range, mode, account) => POLAR_PULL.windows(dataType, range, withSamples(mode), account),
    read: (api, dataType, window, mode, account) => POLAR_PULL.read(api, dataType, window, withSamples(mode), account),
  },
};

function withSamples(mode: PullMode): PullMode {
  return { ...mode, configuration: { ...mode.configuration, values: { READ_SAMPLES: 'true' } } };
}
