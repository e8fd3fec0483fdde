import { defineProblems } from '#platform/problems'

export const runProblem = defineProblems({
  'run.finished': { status: 409, title: 'The run has finished' },
  'run.decided': { status: 409, title: 'The approval was decided otherwise' },
  'run.head_moved': { status: 409, title: 'The pull request has another commit' },
  'run.not_repeatable': { status: 409, title: 'The run cannot be repeated like that' },
  'run.too_many_streams': { status: 429, title: 'Too many streams are open' },
  'run.not_startable': { status: 400, title: 'The run cannot be started' },
})
