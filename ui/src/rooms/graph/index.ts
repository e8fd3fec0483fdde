export { Graph } from './graph.tsx'
export type { GraphPlace, GraphStep } from './step-graph.ts'
