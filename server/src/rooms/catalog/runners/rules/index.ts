export { type FieldFault, findScopeFaults } from './check-scopes.ts'
export { type Judgement, judge, type RunnerNeed, type RunnerState, type Verdict } from './judge-runners.ts'
export { findHelloFault, findNameFault, type RunnerHello } from './read-hello.ts'
export { isReachable, type Moment, type Runner, scopeTest, stateOf } from './runner.ts'
