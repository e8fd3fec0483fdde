export { defineGraph } from './define-graph.ts'
export { defineHead } from './define-head.ts'
