export { type Candidate, decisionOf, refusalOf } from './may-decide.ts'
export { presentDecision, presentRequest } from './present.ts'
export { readFields } from './read-fields.ts'
export {
  type Decision,
  describeObstacle,
  describeTimeout,
  ENOUGH_AGAIN,
  judgeDecisions,
  type Outcome,
  type Request,
  type RequestStatus,
} from './request.ts'
