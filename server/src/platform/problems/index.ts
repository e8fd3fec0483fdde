export { describeFaults } from './describe-faults.ts'
export { platformProblem } from './platform-problems.ts'
export {
  defineProblems,
  type FieldError,
  Problem,
  type ProblemEntry,
  type Problems,
  type ProblemTable,
} from './problem.ts'
