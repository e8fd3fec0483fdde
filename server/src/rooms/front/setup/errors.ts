import { defineProblems } from '#platform/problems'

export const setupProblem = defineProblems({
  'setup.bootstrap_required': { status: 403, title: 'The bootstrap token is required' },
  'setup.credential_missing': { status: 400, title: 'The administrator could not sign in' },
})
