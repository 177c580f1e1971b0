/** Version of the API, and of the programs that are released with it. */
export const API_VERSION = '0.3.0';

/** Header of every answer that says which version answers. */
export const VERSION_HEADER = 'X-Healthd-Version';
