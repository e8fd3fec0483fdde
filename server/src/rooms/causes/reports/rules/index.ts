export { MARKED, MAX_ANNOTATIONS, readMark } from './annotations.ts'
export { type CheckedRun, describeCheck, type ReportedStep } from './check-run.ts'
export { type Answer, type CommentedRun, type CommentParts, type Note, writeComment } from './comment.ts'
export {
  contextOf,
  describeRun,
  nextTry,
  type ReportedRun,
  type StatusText,
  tellsInstead,
} from './commit-status.ts'
export type { PullRequestPlace } from './pull-request-place.ts'
export { readSaidParts } from './said-parts.ts'
