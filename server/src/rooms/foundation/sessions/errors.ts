import { defineProblems } from '#platform/problems'

export const sessionProblem = defineProblems({
  'session.wrong_password': { status: 401, title: 'Login or password is wrong' },
})
