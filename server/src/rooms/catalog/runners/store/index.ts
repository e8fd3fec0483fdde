export { type Connection, markConnected, markDisconnected, markLeaving, markSeen } from './connections.ts'
export {
  deleteUnusedEnrollment,
  type EnrollmentRow,
  findEnrollment,
  insertEnrollment,
  listEnrollments,
  lockEnrollmentByToken,
  markEnrollmentUsed,
} from './enrollments.ts'
export {
  findRunner,
  findRunnerByCredential,
  insertRunner,
  listAllRunners,
  listRunners,
  lockRunner,
  markRemoved,
  updateRunner,
} from './runners.ts'
