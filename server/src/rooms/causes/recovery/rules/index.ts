export {
  isDue,
  isSameHead,
  judgePull,
  judgeRef,
  listGone,
  noteAbsent,
  notedHead,
  restOf,
  type ToldPush,
} from './heads.ts'
export { describePull, describePush, type UntoldFacts } from './made-event.ts'
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
