import { defineProblems, type Problem, platformProblem } from '#platform/problems'

export const planProblem = defineProblems({
  'plan.too_many': { status: 409, title: 'Too many plans are open' },
  'plan.mismatch': { status: 409, title: 'The plan is for something else' },
  'plan.expired': { status: 409, title: 'The plan has expired' },
  'plan.refused': { status: 409, title: 'The plan was refused' },
  'plan.stale': { status: 409, title: 'What the plan counts on has changed' },
  'plan.used': { status: 409, title: 'The plan was carried out' },
  'plan.not_asked': { status: 409, title: 'The plan waits for no person' },
  'plan.planner_gone': { status: 409, title: 'The planner may no longer act' },
  'plan.other_token': { status: 403, title: 'Another token made the plan' },
  'plan.own': { status: 403, title: 'The plan is your own' },
})

/** Whoever asked is to come back: nothing was done, and the plan still waits. */
export function rightsKeepChanging(): Problem {
  const detail = 'Rights keep changing while the plan is carried out: nothing was done. Send the request again.'
  return platformProblem('authorization_unavailable', detail, { headers: { 'retry-after': '1' } })
}
