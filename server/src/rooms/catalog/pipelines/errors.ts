import { defineProblems } from '#platform/problems'

export const pipelineProblem = defineProblems({
  'pipeline.name_taken': { status: 409, title: 'A pipeline of this name exists' },
  'pipeline.invalid': { status: 400, title: 'The pipeline document is not valid' },
})
