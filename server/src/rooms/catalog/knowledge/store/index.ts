export * from './copied.ts'
export * from './emergencies.ts'
export * from './items.ts'
export * from './revisions.ts'
