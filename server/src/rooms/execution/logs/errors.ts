import { defineProblems } from '#platform/problems'

export const logProblem = defineProblems({
  'log.expression_invalid': { status: 400, title: 'The expression cannot be used' },
  'log.nothing_to_scrub': { status: 400, title: 'There is nothing to scrub' },
  'log.scrub_too_large': { status: 400, title: 'The values are too long to be hidden' },
  'log.too_many_streams': { status: 429, title: 'Too many streams are open' },
  'log.secret_unusable': { status: 400, title: 'The secret cannot be used' },
})
