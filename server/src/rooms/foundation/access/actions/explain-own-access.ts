import type { AccessExplanation, Permission } from '@signalbox/contracts/access'
import type { Finding } from '@signalbox/contracts/http'
import type { Caller } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import { type ExplainedAccess, explainAccess, explainLimit, remediesFor } from '../rules/explain-access.ts'
import { pathAndAbove } from '../rules/holdings.ts'
import { ROLES } from '../rules/permissions.ts'
import { refusingLimit } from '../rules/token-limits.ts'
import { listGrantsAt } from '../store/grants.ts'
import { listGroupsOf } from '../store/groups.ts'
import { describeGrants, findRemedies } from './describe-access.ts'

interface OwnQuestion {
  readonly permission: Permission
  readonly teamPath: string
}

/**
 * Whether the caller may do something at a team. Everybody may ask. The answer is read from the caller's own grants, by
 * their paths alone, so a team that the caller may not see is answered like an absent one. Of a token with limits it says
 * whether a limit refuses, or a grant is missing. Throws not_found (404) for an absent team below what the caller sees.
 */
export async function explainOwnAccess(
  means: Means,
  caller: Caller,
  question: OwnQuestion,
): Promise<AccessExplanation> {
  const { permission, teamPath } = question
  const team = teamPath === '/' ? { path: '/' } : await means.teams.findTeam(means.database.kysely, teamPath)
  const sees = caller.can('team.read', teamPath)
  if (sees && team?.path !== teamPath) throw platformProblem('not_found', `There is no team ${teamPath}.`)
  const owner = (await means.keeper.get()).subject(caller.kind, caller.id)
  if (!owner) throw platformProblem('unauthenticated', 'The owner of this token is gone.')
  const { token } = caller
  const limit = token?.limits && refusingLimit(token.limits, permission, teamPath)
  const holds = owner.can(permission, teamPath)
  const held = await listHeld(means, caller, question)
  const lacks = !holds && limit === undefined
  const remedies = lacks ? await findOwnRemedies(means, caller, question, sees) : []
  const reference = `${caller.kind}:${caller.id}`
  const explained = {
    reference,
    name: caller.kind === 'bootstrap' ? 'The bootstrap token' : `${caller.kind}:${owner.name}`,
    permission,
    teamPath,
    disabled: false,
    grants: held.shown,
    hidden: holds && held.isHidden,
    remedy: remedies[0] && { ...remedies[0], teamPath: remedies[0].team_path },
  }
  const findings = [
    ...(token?.limits && limit ? [explainLimit({ id: token.id, limits: token.limits }, limit, permission)] : []),
    // Beyond its team a token learns nothing of its owner.
    ...(limit === 'team_path' ? [] : explainOwner(explained, holds)),
  ]
  return {
    subject: reference,
    subject_name: owner.name,
    permission,
    team_path: teamPath,
    allowed: holds && limit === undefined,
    disabled: false,
    token_limit: limit ?? null,
    sentence: findings.map(({ sentence }) => sentence).join(' '),
    findings,
    grants: limit === 'team_path' ? [] : held.reasons,
    hidden_grants: limit === 'team_path' ? false : holds && held.isHidden,
    remedies,
  }
}

/** The bootstrap token has everything without a grant. */
function explainOwner(explained: ExplainedAccess, holds: boolean): Finding[] {
  const isGranted = explained.grants.length > 0 || explained.hidden
  return explainAccess(holds && !isGranted ? { ...explained, hidden: true } : explained)
}

/** The caller's own grants that give it, themselves or through a group. */
async function listHeld(means: Means, caller: Caller, { permission, teamPath }: OwnQuestion) {
  const { kind, id } = caller
  if (kind !== 'user' && kind !== 'service_account') return { shown: [], reasons: [], isHidden: false }
  const db = means.database.kysely
  const groups = new Map(kind === 'user' ? (await listGroupsOf(db, id)).map((group) => [group.id, group]) : [])
  const at = { teamPaths: pathAndAbove(teamPath), groupIds: [...groups.keys()] }
  const giving = (await listGrantsAt(db, { kind, id }, at)).filter(({ role }) => ROLES[role].includes(permission))
  const described = await describeGrants(means, caller, giving, groups)
  return { ...described, isHidden: described.shown.length < giving.length }
}

/** Of a team that the caller may not see, nobody is named: that would tell who has rights there. */
async function findOwnRemedies(means: Means, caller: Caller, { permission, teamPath }: OwnQuestion, sees: boolean) {
  const remedies = await findRemedies(means, caller, remediesFor(permission, teamPath))
  return sees ? remedies : remedies.map((remedy) => ({ ...remedy, givers: [] }))
}
