export { createVault, keyFingerprint, type SealedField, type Vault } from './vault.js';
