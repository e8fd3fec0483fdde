export {
  attemptedAt,
  isArrived,
  isUnwanted,
  judgeAnswers,
  type KnownAnswer,
  MAX_TRIES,
  missedIn,
  pauseOf,
} from './missed.ts'
export { describeGap, stateOf } from './standing.ts'
