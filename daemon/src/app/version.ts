/** Version of the service; the API description carries the same. */
export const VERSION = '0.3.0';
