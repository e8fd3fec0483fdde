export { type DocumentFault, faultAt, inOrder } from './document-fault.ts'
export { queueRequirement } from './queue-requirement.ts'
export { type PipelineReference, referencesOf } from './references.ts'
export { readStoredGraph } from './stored-graph.ts'
