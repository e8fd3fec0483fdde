import { defineProblems } from '#platform/problems'

export const eventProblem = defineProblems({
  'event.signature_invalid': { status: 401, title: 'The signature of the event is not valid' },
  'event.not_permitted': { status: 403, title: 'The event may not start the pipeline it matched' },
})
