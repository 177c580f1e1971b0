import type { CloudProvider } from '../../cloud/index.js';
import { STRAVA } from '../provider.js';

const { pull } = STRAVA.cloud;

/** Cloud of an operator who enables streams. */
export const STRAVA_WITH_STREAMS: CloudProvider = {
  ...STRAVA.cloud,
  pull: {
    ...pull,
    read(api, dataType, window, mode, account) {
      const configuration = { ...mode.configuration, values: { READ_STREAMS: 'true' } };
      return pull.read(api, dataType, window, { ...mode, configuration }, account);
    },
  },
};
