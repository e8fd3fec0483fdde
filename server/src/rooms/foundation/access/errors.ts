import { defineProblems } from '#platform/problems'

/** The problems of making the first administrator, which is a route of the room setup. */
export const ADMINISTRATOR_PROBLEMS = {
  'user.login_taken': { status: 409, title: 'A user of this login exists' },
  'user.passwords_busy': { status: 429, title: 'Too many passwords are being checked' },
  'access.administrator_exists': { status: 409, title: 'An administrator exists' },
}

export const accessProblem = defineProblems({
  ...ADMINISTRATOR_PROBLEMS,
  'user.wrong_password': { status: 403, title: 'The current password is wrong' },
  'group.name_taken': { status: 409, title: 'A group of this name exists' },
  'service_account.name_taken': { status: 409, title: 'A service account of this name exists' },
  'grant.exists': { status: 409, title: 'The subject has this role there already' },
  'grant.exceeds_own': { status: 403, title: 'Nobody gives more than they have' },
  'access.last_administrator': { status: 409, title: 'The last administrator stays' },
  'bootstrap.already_revoked': { status: 404, title: 'The bootstrap token is revoked already' },
})
