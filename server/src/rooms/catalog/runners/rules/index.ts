export * from './check-scopes.ts'
export * from './judge-runners.ts'
export * from './read-hello.ts'
export * from './runner.ts'
