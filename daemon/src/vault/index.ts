export { createVault, type Place, type Vault } from './vault.js';
