export { type AskedName, listWaiting } from './approvers.ts'
export { insertDecision, listDecisions, setLapsed } from './decisions.ts'
export {
  endRequest,
  findRequest,
  insertRequests,
  listByIds,
  listDecided,
  listOfRun,
  lockRequest,
  markApplied,
  markReminded,
  withdrawOfRun,
} from './requests.ts'
