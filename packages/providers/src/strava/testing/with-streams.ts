import type { CloudProvider } from '../../cloud/index.js';
import { STRAVA_CLOUD } from '../cloud.js';
import { STRAVA_PULL } from '../pull/index.js';

/** The cloud as an operator has it who wants readings. */
export const STRAVA_WITH_STREAMS: CloudProvider = {
  ...STRAVA_CLOUD,
  pull: {
    ...STRAVA_PULL,
    read(api, dataType, window, mode, account) {
      const configuration = { ...mode.configuration, values: { READ_STREAMS: 'true' } };
      return STRAVA_PULL.read(api, dataType, window, { ...mode, configuration }, account);
    },
  },
};
