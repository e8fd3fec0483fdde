import { defineProblems } from '#platform/problems'

export const settingProblem = defineProblems({
  'setting.version_conflict': { status: 409, title: 'The setting has changed' },
})
