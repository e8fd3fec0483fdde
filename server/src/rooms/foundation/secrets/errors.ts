import { defineProblems } from '#platform/problems'

export const secretProblem = defineProblems({
  'secret.version_in_use': { status: 409, title: 'The version is the one in use' },
  'secret.in_use': { status: 409, title: 'The secret is in use' },
  'secret.name_taken': { status: 409, title: 'A secret of this name exists' },
})
