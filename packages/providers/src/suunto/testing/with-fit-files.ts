import type { CloudProvider } from '../../cloud/index.js';
import { SUUNTO } from '../provider.js';

const { pull } = SUUNTO.cloud;

/** Cloud of an operator who enables FIT files of workouts. */
export const SUUNTO_WITH_FIT_FILES: CloudProvider = {
  ...SUUNTO.cloud,
  pull: {
    ...pull,
    read(api, dataType, window, mode, account) {
      const configuration = { ...mode.configuration, values: { READ_FIT_FILES: 'true' } };
      return pull.read(api, dataType, window, { ...mode, configuration }, account);
    },
  },
};
