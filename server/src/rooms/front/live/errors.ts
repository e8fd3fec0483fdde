import { defineProblems } from '#platform/problems'

export const liveProblem = defineProblems({
  'live.too_many_streams': { status: 429, title: 'Too many streams are open' },
})
