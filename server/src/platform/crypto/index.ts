export { constantTimeEqual, sha256 } from './digest.ts'
export {
  findMasterKeys,
  keyFingerprint,
  type MasterKeys,
  MasterKeyWrong,
  makeMasterKey,
  masterKeyPath,
  writeMasterKeys,
} from './master-keys.ts'
export { createPasswords, type Passwords, PasswordsBusy } from './password.ts'
export { createSealer, SealBroken, type Sealer } from './sealer.ts'
export { createToken, type NewToken, readTokenKind, type TokenKind } from './token.ts'
