export { allOf, listPage, readChanges, readRevision } from './changes.ts'
export { SharedValues } from './shared-values.ts'
export {
  countBySource,
  deleteTrigger,
  findTrigger,
  insertTrigger,
  type LostTrigger,
  listStarting,
  listTriggers,
  lockTrigger,
  markSourceLost,
  type TriggerFilter,
  updateTrigger,
} from './triggers.ts'
