export * from './delivery.ts'
export * from './source.ts'
