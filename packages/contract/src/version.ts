/** Version of the API and of the programs released with it. */
export const API_VERSION = '0.3.0';

/** Response header with the service's version. */
export const VERSION_HEADER = 'X-Healthd-Version';
