export type {
  ApprovalOutline,
  CheckoutOutline,
  ContainerOutline,
  FieldOutline,
  FinalOutputOutline,
  MatrixOutline,
  NodeOutline,
  Outline,
  StepOutline,
  TaskOutline,
} from './outline.ts'
export { millisecondsOf, type Placed, type PlacedText } from './placed.ts'
export { APPROVAL_OUTPUTS } from './read-approval.ts'
export { readOutline } from './read-outline.ts'
export { registryCredentialsOf } from './read-task.ts'
