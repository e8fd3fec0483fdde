export * from './event.ts'
export * from './posted-event.ts'
export * from './vocabulary.ts'
