export {
  type EmergencyFilter,
  findEmergency,
  insertEmergency,
  listEmergencies,
  lockEmergency,
  markLifted,
} from './emergencies.ts'
export { listHeldEmergencies, listHeldItems, readRevision, shareRevision } from './held.ts'
export {
  deleteItem,
  findItem,
  type ItemFilter,
  type ItemKey,
  insertItem,
  listItems,
  lockItem,
  setRevision,
} from './items.ts'
export { findRevision, findRevisions, insertRevision, listRevisions } from './revisions.ts'
