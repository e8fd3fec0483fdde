import { defineProblems } from '#platform/problems'

export const runProblem = defineProblems({
  'run.finished': { status: 409, title: 'The run has finished' },
  'run.not_startable': { status: 400, title: 'The run cannot be started' },
})
