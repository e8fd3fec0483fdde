export { expandMatrix, type MatrixDefinition, sizeOf, type Values } from './expand.ts'
export { type Combination, fillIn } from './fill-in.ts'
export { type CombinationValues, type Instance, Layout, type NamedTask, type StepLayout } from './layout.ts'
export { instanceName } from './slug.ts'
