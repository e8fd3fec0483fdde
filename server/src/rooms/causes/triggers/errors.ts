import { defineProblems } from '#platform/problems'

export const triggerProblem = defineProblems({
  'trigger.name_taken': { status: 409, title: 'A trigger of this name exists in the team' },
  'trigger.invalid': { status: 400, title: 'The trigger is not valid' },
})
