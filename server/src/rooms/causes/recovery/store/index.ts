export * from './heads.ts'
export * from './logs.ts'
export * from './recoveries.ts'
