import { defineProblems } from '#platform/problems'

export const profileProblem = defineProblems({
  'profile.name_taken': { status: 409, title: 'A profile of this name exists' },
  'profile.in_use': { status: 409, title: 'The profile is in use' },
  'profile.unknown_team': { status: 400, title: 'The team does not exist' },
})
