import { defineProblems } from '#platform/problems'

export const teamProblem = defineProblems({
  'team.path_taken': { status: 409, title: 'A team of this path exists' },
  'team.parent_missing': { status: 400, title: 'The parent team does not exist' },
  'team.path_fixed': { status: 400, title: 'A team keeps its path' },
  'team.not_empty': { status: 409, title: 'The team owns something' },
  'environment.name_taken': { status: 409, title: 'An environment of this name exists' },
})
