export { insertDecision, listDecisions } from './decisions.ts'
export {
  endRequest,
  findRequest,
  insertRequests,
  listDecided,
  listOfRun,
  listWaiting,
  lockRequest,
  markApplied,
  markReminded,
  withdrawOfRun,
} from './requests.ts'
