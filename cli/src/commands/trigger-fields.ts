import type { Trigger } from '@signalbox/contracts/triggers'
import { type Command, Option } from 'commander'
import { CommandFailed } from '../errors.ts'
import type { ApiOptions, Context } from './context.ts'
import { collectList, collectPair } from './parse-arguments.ts'
import { readFields } from './pipeline-document.ts'
import { resolveSource } from './source-lookup.ts'

const DRAFT_RULES = ['any', 'exclude', 'only'] as const satisfies readonly Trigger['draft'][]
const ON_CONFLICT = ['cancel_running', 'queue', 'skip'] as const satisfies readonly NonNullable<
  Trigger['concurrency']
>['on_conflict'][]

/** The options that say what a trigger is. */
export interface TriggerOptions extends ApiOptions {
  readonly file?: string
  readonly team?: string
  readonly pipeline?: string
  readonly scope?: string
  readonly repository?: readonly string[]
  readonly event?: readonly string[]
  readonly action?: readonly string[]
  readonly source?: string
  readonly branch?: readonly string[]
  readonly tag?: readonly string[]
  readonly path?: readonly string[]
  readonly label?: readonly string[]
  readonly draft?: string
  readonly command?: readonly string[]
  readonly commenter?: readonly string[]
  readonly skipCi?: boolean
  readonly reportComment?: boolean
  readonly if?: string
  readonly var?: Readonly<Record<string, string>>
  readonly group?: string
  readonly onConflict?: string
  readonly enable?: boolean
  readonly disable?: boolean
}

/** Adds the options; lists may be given any number of times, and an empty value empties them. */
export function withTriggerOptions(command: Command): Command {
  return command
    .option('-f, --file <file>', 'YAML or JSON document with the fields of the API; - is the standard input')
    .option('-t, --team <path>', 'team that owns it')
    .option('-p, --pipeline <pipeline>', 'identifier of the pipeline that it starts')
    .option('--scope <scope>', 'where the run runs')
    .option('-r, --repository <pattern>', 'owner/repository patterns; any number of times', collectList)
    .option('-e, --event <kind>', 'event kinds, such as push or pull_request', collectList)
    .option('--action <action>', 'actions, such as opened or labeled', collectList)
    .option('--source <source>', 'only deliveries of this source, by name or id; "" for every one')
    .option('--branch <pattern>', 'branch patterns, ! excludes', collectList)
    .option('--tag <pattern>', 'tag patterns', collectList)
    .option('--path <pattern>', 'patterns of changed files', collectList)
    .option('--label <pattern>', 'label patterns of the pull request, ! excludes', collectList)
    .addOption(new Option('--draft <rule>', 'whether drafts of pull requests count').choices(DRAFT_RULES))
    .option('--command <command>', 'what a comment must begin with, such as /retest', collectList)
    .option('--commenter <login>', 'whose comments count: logins, @members, @author', collectList)
    .option('--skip-ci', 'a push whose head commit says [skip ci] or the like starts nothing (default)')
    .option('--no-skip-ci', 'it starts all the same')
    .option('--report-comment', 'its pull requests get a comment that shows what became of them')
    .option('--no-report-comment', 'they get none (default)')
    .option('--if <expression>', 'condition over event (CEL); "" for none')
    .option('--var <name=value>', 'variables of the run', collectPair)
    .option('--group <text>', 'concurrency group, such as deploy-${{ run.group_key }}; "" for none')
    .addOption(new Option('--on-conflict <rule>', 'what a new run of the group means').choices(ON_CONFLICT))
    .option('--enable', 'it starts runs')
    .option('--disable', 'it starts nothing')
}

/** The fields that a file and the options give, as the API names them; the options win. */
export async function readTriggerFields(context: Context, options: TriggerOptions): Promise<Record<string, unknown>> {
  const { group, onConflict, source, enable, disable } = options
  if (enable && disable) throw new CommandFailed('usage', '--enable and --disable exclude each other.')
  if (group !== undefined && group !== '' && onConflict === undefined) {
    throw new CommandFailed('usage', `--group needs --on-conflict: ${ON_CONFLICT.join(', ')}.`)
  }
  if (onConflict !== undefined && !group) throw new CommandFailed('usage', '--on-conflict needs --group.')
  const given = {
    team_path: options.team,
    pipeline: options.pipeline,
    scope: options.scope,
    repositories: options.repository,
    events: options.event,
    actions: options.action,
    source_id: source === undefined ? undefined : await readSource(context, options, source),
    branches: options.branch,
    tags: options.tag,
    paths: options.path,
    labels: options.label,
    draft: options.draft,
    commands: options.command,
    commenters: options.commenter,
    skip_ci: options.skipCi,
    report_comment: options.reportComment,
    if: options.if === '' ? null : options.if,
    variables: options.var,
    concurrency: group === '' ? null : group === undefined ? undefined : { group, on_conflict: onConflict },
    enabled: enable ? true : disable ? false : undefined,
  }
  const fields = Object.entries(given).filter(([, value]) => value !== undefined)
  return {
    ...(options.file === undefined ? {} : await readFields(context, options.file)),
    ...Object.fromEntries(fields),
  }
}

async function readSource(context: Context, options: ApiOptions, source: string): Promise<string | null> {
  return source === '' ? null : resolveSource(context.connect(options), source)
}
