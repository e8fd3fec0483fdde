export { Graph } from './graph.tsx'
export { addressOfUnfolded, type GraphAddress, readGraphAddress, unfoldedOf } from './graph-address.ts'
export type { GraphPlace, GraphStep } from './step-graph.ts'
