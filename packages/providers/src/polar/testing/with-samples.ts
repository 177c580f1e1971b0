import type { PullMode } from '../../cloud/index.js';
import { POLAR } from '../provider.js';

const { pull } = POLAR.cloud;

/** Cloud of an operator who enables exercise samples. */
export const POLAR_WITH_SAMPLES: typeof POLAR.cloud = {
  ...POLAR.cloud,
  pull: {
    ...pull,
    windows: (dataType, range, mode, account) => pull.windows(dataType, range, withSamples(mode), account),
    read: (api, dataType, window, mode, account) => pull.read(api, dataType, window, withSamples(mode), account),
  },
};

function withSamples(mode: PullMode): PullMode {
  return { ...mode, configuration: { ...mode.configuration, values: { READ_SAMPLES: 'true' } } };
}
