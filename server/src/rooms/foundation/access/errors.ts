import { defineProblems } from '#platform/problems'

export const accessProblem = defineProblems({
  'user.login_taken': { status: 409, title: 'A user of this login exists' },
  'user.wrong_password': { status: 403, title: 'The current password is wrong' },
  'user.passwords_busy': { status: 429, title: 'Too many passwords are being checked' },
  'group.name_taken': { status: 409, title: 'A group of this name exists' },
  'service_account.name_taken': { status: 409, title: 'A service account of this name exists' },
  'grant.exists': { status: 409, title: 'The subject has this role there already' },
  'grant.exceeds_own': { status: 403, title: 'Nobody gives more than they have' },
  'access.last_administrator': { status: 409, title: 'The last administrator stays' },
  'access.administrator_exists': { status: 409, title: 'An administrator exists' },
  'bootstrap.already_revoked': { status: 404, title: 'The bootstrap token is revoked already' },
})
