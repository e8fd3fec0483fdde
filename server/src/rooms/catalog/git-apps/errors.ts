import { defineProblems } from '#platform/problems'

export const gitAppProblem = defineProblems({
  'git_app.already_registered': { status: 412, title: 'An app is registered already' },
  'git_app.not_registered': { status: 412, title: 'No app is registered' },
  'git_app.unusable': { status: 500, title: 'The app cannot be used' },
  'git_app.verification_not_run': { status: 500, title: 'The verification could not run' },
  'git_app.provider_failed': { status: 502, title: 'The provider did not answer as it should' },
})
