import type { CloudProvider } from '../../cloud/index.js';
import { SUUNTO_CLOUD } from '../cloud.js';
import { SUUNTO_PULL } from '../pull/index.js';

/** The cloud as an operator has it who wants the FIT files of workouts. */
export const SUUNTO_WITH_FIT_FILES: CloudProvider = {
  ...SUUNTO_CLOUD,
  pull: {
    ...SUUNTO_PULL,
    read(api, dataType, window, mode, account) {
      const configuration = { ...mode.configuration, values: { READ_FIT_FILES: 'true' } };
      return SUUNTO_PULL.read(api, dataType, window, { ...mode, configuration }, account);
    },
  },
};
