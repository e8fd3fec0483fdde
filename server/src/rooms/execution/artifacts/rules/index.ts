export { namespaceOf } from './namespace.ts'
export { type ByteRange, missingParts, PART_SIZE, partKey, partSize, readRange, UNUSED_MS } from './parts.ts'
export { openToken, sealToken, type TransferSubject } from './token.ts'
