import { defineProblems } from '#platform/problems'

export const secretProblem = defineProblems({
  'secret.name_taken': { status: 409, title: 'A secret of this name exists' },
})
