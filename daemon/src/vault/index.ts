export { createVault, keyFingerprint, type Place, type Vault } from './vault.js';
