export { constantTimeEqual, sha256, sha256Hex } from './digest.ts'
export { loadMasterKeys, MasterKeyWrong } from './master-keys.ts'
export { createSealer, SealBroken, type Sealer } from './sealer.ts'
export { createToken, type NewToken, readTokenKind, type TokenKind } from './token.ts'
