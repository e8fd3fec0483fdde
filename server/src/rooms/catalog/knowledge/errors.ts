import { defineProblems } from '#platform/problems'

export const knowledgeProblem = defineProblems({
  'knowledge.invalid': { status: 400, title: 'The item is not valid' },
  'knowledge.name_taken': { status: 409, title: 'An item of this name exists in the team' },
  'emergency.invalid': { status: 400, title: 'The emergency is not valid' },
  'emergency.lifted': { status: 409, title: 'The emergency is lifted already' },
})
