export * from './may-decide.ts'
export * from './read-fields.ts'
export * from './request.ts'
