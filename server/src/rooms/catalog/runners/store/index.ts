export { type Connection, markConnected, markDisconnected, markLeaving, markSeen } from './connections.ts'
export {
  deleteUnusedEnrollment,
  type EnrollmentRow,
  findEnrollment,
  insertEnrollment,
  listEnrollments,
  listOpenDigests,
  lockEnrollmentByToken,
  markEnrollmentUsed,
} from './enrollments.ts'
export {
  findRunner,
  findRunnerByCredential,
  insertRunner,
  listAllRunners,
  listCredentialDigests,
  listRunners,
  lockRunner,
  markRemoved,
  updateRunner,
} from './runners.ts'
