export * from './commands.ts'
export * from './counts.ts'
