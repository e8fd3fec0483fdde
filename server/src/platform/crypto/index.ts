export { constantTimeEqual, sha256, sha256Hex } from './digest.ts'
export { createSealer, SealBroken, type Sealer } from './sealer.ts'
