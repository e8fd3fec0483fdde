export * from './logs.ts'
export * from './recoveries.ts'
