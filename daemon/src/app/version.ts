/** Version of the service and of its API description. */
export const VERSION = '0.3.0';
