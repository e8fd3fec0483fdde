export * from './emergencies.ts'
export * from './items.ts'
export * from './judging.ts'
