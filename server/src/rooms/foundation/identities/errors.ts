import { defineProblems } from '#platform/problems'

export const identityProblem = defineProblems({
  'identity.account_taken': { status: 409, title: 'The account is linked already' },
  'identity.only_way_in': { status: 409, title: 'The account is the only way to sign in' },
  'identity.provider_unreachable': { status: 503, title: 'The provider does not answer' },
})
