export * from './connections.ts'
export * from './enrollments.ts'
export * from './runners.ts'
