export * from './namespace.ts'
export * from './parts.ts'
export * from './token.ts'
