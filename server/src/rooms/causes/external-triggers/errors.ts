import { defineProblems } from '#platform/problems'

export const externalTriggerProblem = defineProblems({
  'external_trigger.name_taken': { status: 409, title: 'An external trigger of this name exists in the team' },
  'external_trigger.invalid': { status: 400, title: 'The external trigger is not valid' },
  'external_trigger.fire_invalid': { status: 400, title: 'The external trigger cannot be fired so' },
  'external_trigger.refused': { status: 403, title: 'The external trigger starts nothing' },
  'external_trigger.rate_exceeded': { status: 429, title: 'The rate limit of the external trigger is exceeded' },
  'external_trigger.too_many_failures': { status: 429, title: 'Too many wrong secrets came from this address' },
  'external_trigger.disabled': { status: 409, title: 'The external trigger is disabled' },
})
