export * from './position.ts'
export * from './read-topics.ts'
export * from './untold.ts'
