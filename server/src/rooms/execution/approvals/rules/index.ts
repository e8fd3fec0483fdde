export { type Candidate, decisionOf, refusalOf } from './may-decide.ts'
export { presentDecision, presentRequest } from './present.ts'
export { readFields } from './read-fields.ts'
export {
  type Decision,
  describeObstacle,
  ENOUGH_AGAIN,
  judgeDecisions,
  type Outcome,
  outcomeOf,
  type Request,
  type RequestStatus,
} from './request.ts'
