import { defineProblems } from '#platform/problems'

export const runnerProblem = defineProblems({
  'runner.enrollment_refused': { status: 401, title: 'The enrolment token is not valid' },
  'runner.enrollment_used': { status: 409, title: 'The enrolment token was used' },
  'runner.hello_refused': { status: 400, title: 'The runner describes itself wrongly' },
  'runner.too_many_guesses': { status: 429, title: 'Too many wrong tokens of runners' },
})
