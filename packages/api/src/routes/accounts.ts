export * from './api-keys.js';
export * from './applications.js';
export * from './developer-invitations.js';
export * from './developers.js';
export * from './invitation-codes.js';
export * from './sessions.js';
export * from './user-tokens.js';
