export * from './grants.ts'
export * from './identity.ts'
export * from './subjects.ts'
export * from './tokens.ts'
