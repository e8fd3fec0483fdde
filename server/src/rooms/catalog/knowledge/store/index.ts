export { listActiveEmergencies, listCopiedItems, readRevision, shareRevision } from './copied.ts'
export {
  type EmergencyFilter,
  findEmergency,
  insertEmergency,
  listEmergencies,
  lockEmergency,
  markLifted,
} from './emergencies.ts'
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
