import { auditRoutes } from '@signalbox/contracts/audit/routes'
import { type Command, Option } from 'commander'
import { ago } from '../output/durations.ts'
import { type Context, group } from './context.ts'
import { type ListOptions, listCommand } from './listing.ts'
import { readPast } from './parse-arguments.ts'
import { subjectOf } from './subjects.ts'

interface AuditOptions extends ListOptions {
  readonly resource?: string
  readonly actor?: string
  readonly token?: string
  readonly action?: string
  readonly tool?: string
  readonly client?: string
  readonly since?: string
}

export function auditCommand(context: Context): Command {
  return group('audit', 'the audit log', [
    listCommand(context, {
      description: 'list audit records, newest first; --json shows times, addresses, and values before and after',
      operation: auditRoutes.listAuditRecords,
      options: [
        new Option(
          '--resource <resource>',
          'records of a kind of resource, such as secret; or of one resource, secret:<id>',
        ),
        new Option('--actor <subject>', 'records of one actor: user:<login> or service_account:<team path>/<name>'),
        new Option('--token <id>', 'records of one token, by its id; see `token list`'),
        new Option('--action <action>', 'records of one action, such as token.created; token.* is all that begin so'),
        new Option('--tool <name>', 'calls of one tool by agents'),
        new Option('--client <name>', 'calls of tools by one client, such as claude-code'),
        new Option('--since <time>', 'since this time, such as 2027-01-01T00:00:00Z; 2h means two hours ago').argParser(
          readPast,
        ),
      ],
      query: async ({ resource, actor, token, action, tool, client: by, since }: AuditOptions, client) => ({
        resource,
        subject: actor === undefined ? undefined : (await subjectOf(client, actor)).replace(/^.*:/, ''),
        token,
        action,
        tool,
        client: by,
        since,
      }),
      columns: [
        ['when', ({ occurred_at }, now) => ago(occurred_at, now)],
        ['who', ({ actor }) => `${actor.kind}:${actor.name}`],
        ['did', ({ action }) => action],
        ['to', ({ resource }) => resource.id],
        ['team', ({ team_path }) => team_path],
      ],
    }),
  ])
}
