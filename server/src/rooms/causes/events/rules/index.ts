export { followPushes, isPullCovered, isPushCovered, type LaterChange, type MadeChange } from './covered.ts'
export { type SettledResult, settledResult } from './event-result.ts'
export { type ChangePlace, changedPlace, describeChange, describeHappening, isSameUntil } from './happening.ts'
export { findNearestRules } from './nearest-rules.ts'
export { describeNoMatch, matchOverride, namedOtherwise, type OverrideMatch } from './override-match.ts'
export { readPostedEvent } from './posted-event.ts'
export {
  type AskedHead,
  completeFromAsked,
  completeFromHead,
  type KnownHead,
  needsAskedHead,
  needsKnownHead,
  tellsHeadByItself,
  whyNoCommit,
} from './pull-request-head.ts'
export {
  type Claim,
  findRepeated,
  isUntimedChange,
  type Place,
  placeOf,
  type Telling,
} from './repetition.ts'
export { MANIFEST_PATH, manifestAt, pathsBaseOf } from './repository-place.ts'
export { type ResolutionQuestion, readQuestion } from './resolution-question.ts'
export { findRefusal, isFromFork } from './start.ts'
export { type ResolvedThrough, uniteResolutions } from './unite-resolutions.ts'
