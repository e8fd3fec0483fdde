export * from './document-fault.ts'
export * from './queue-requirement.ts'
export * from './references.ts'
export * from './stored-graph.ts'
