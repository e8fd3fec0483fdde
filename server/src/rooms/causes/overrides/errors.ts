import { defineProblems } from '#platform/problems'

export const overrideProblem = defineProblems({
  'override.invalid': { status: 400, title: 'The override is not valid' },
  'override.conflict': { status: 409, title: "The repository has another team's override" },
})
