export { defineGraph } from './define-graph.ts'
export { defineHead, externalReferences } from './define-head.ts'
