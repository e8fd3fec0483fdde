import { defineProblems } from '#platform/problems'

export const sessionProblem = defineProblems({
  'session.passwords_off': { status: 403, title: 'Passwords are switched off' },
  'session.wrong_password': { status: 401, title: 'Login or password is wrong' },
})
