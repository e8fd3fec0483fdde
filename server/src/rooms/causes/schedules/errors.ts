import { defineProblems } from '#platform/problems'

export const scheduleProblem = defineProblems({
  'schedule.name_taken': { status: 409, title: 'A schedule of this name exists in the team' },
  'schedule.invalid': { status: 400, title: 'The schedule is not valid' },
  'schedule.backfill_running': { status: 409, title: 'A backfill of the schedule runs over the range' },
})
