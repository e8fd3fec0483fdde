import type { AccessExplanation, AccessExplanationQuery } from '@signalbox/contracts/access'
import { accessExplanationRoutes } from '@signalbox/contracts/access/routes'
import { type Command, Option } from 'commander'
import { escapeText } from '../output/escape.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { SUBJECT, subjectOf } from './subjects.ts'

type Permission = AccessExplanationQuery['permission']

/** `why access`: yes or no in a sentence, then the grants that prove it, or those that would give the permission. */
export function whyAccessCommand(context: Context): Command {
  return apiCommand('access', 'explain why you, or another subject, may or may not do something at a team')
    .argument('<permission>', 'such as run.start; `grant roles` lists them')
    .argument('<team>', 'path such as acme/web; / is the platform')
    .addOption(new Option('--subject <subject>', `${SUBJECT} (default: you, with the limits of your token)`))
    .action(async (permission: Permission, team: string, options: ApiOptions & { readonly subject?: string }) => {
      const client = context.connect(options)
      const subject = options.subject === undefined ? undefined : await subjectOf(client, options.subject)
      const query = { subject, permission, team_path: team }
      const found = await client.call(accessExplanationRoutes.explainAccess, { query })
      return options.json ? context.printJson(found) : printAccess(context, found)
    })
}

export function printAccess(context: Context, found: AccessExplanation): void {
  context.printLine(escapeText(found.sentence))
  if (found.grants.length > 0) return printGrants(context, found.grants)
  if (found.remedies.length === 0) return undefined
  return context.printTable(
    ['would have it as', 'of', 'who can grant it'],
    found.remedies.map(({ role, team_path: path, givers }) => [role, path, givers.join(', ')]),
  )
}

function printGrants(context: Context, found: AccessExplanation['grants']): void {
  return context.printTable(
    ['grant', 'role', 'team', 'through', 'granted by', 'at'],
    found.map((each) => [
      each.grant_id,
      each.role,
      each.team_path,
      each.group?.name ?? '',
      each.created_by ?? '',
      each.created_at,
    ]),
  )
}
