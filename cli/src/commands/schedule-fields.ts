import type { Schedule } from '@signalbox/contracts/schedules'
import { type Command, Option } from 'commander'
import { CommandFailed } from '../errors.ts'
import type { ApiOptions, Context } from './context.ts'
import { collectList, collectPair, readDuration } from './parse-arguments.ts'
import { readDocument, readFields } from './pipeline-document.ts'

const OVERLAP = [
  'allow',
  'skip',
  'queue_one',
  'cancel_running',
] as const satisfies readonly Schedule['overlap_policy'][]
const MISFIRE = ['skip', 'last', 'all'] as const satisfies readonly Schedule['misfire_policy'][]
const DST = ['once', 'skip', 'both'] as const satisfies readonly Schedule['dst_policy'][]

/** The options that say when a schedule fires. */
export interface TimingOptions extends ApiOptions {
  readonly file?: string
  readonly cron?: string
  readonly at?: string
  readonly timezone?: string
  readonly dst?: string
  readonly spread?: string
  readonly excludeDate?: readonly string[]
  readonly calendar?: string
  readonly notBefore?: string
  readonly notAfter?: string
}

/** The options that say what a schedule is. */
export interface ScheduleOptions extends TimingOptions {
  readonly team?: string
  readonly pipeline?: string
  readonly scope?: string
  readonly runTeam?: string
  readonly var?: Readonly<Record<string, string>>
  readonly repository?: string
  readonly ref?: string
  readonly overlap?: string
  readonly misfire?: string
  readonly grace?: number
  readonly window?: number
}

/** An empty value clears a field that may be empty. */
export function withTimingOptions(command: Command): Command {
  return command
    .option('-f, --file <file>', 'YAML or JSON document with the fields of the API; - is the standard input')
    .option('--cron <expression>', "five fields, or six with seconds first, such as '30 2 * * 1-5'; H and @daily too")
    .option('--at <time>', 'fires once at this time; without an offset it is local time in --timezone')
    .option('--timezone <zone>', 'IANA name, such as Europe/Berlin (default: UTC)')
    .addOption(
      new Option('--dst <policy>', 'a local time that occurs twice fires once, not at all or twice').choices(DST),
    )
    .option('--spread <length>', 'each fire is that late at most, such as 15m; "" for none')
    .option('--exclude-date <date>', '2026-12-25, or 2026-12-24/2027-01-01; any number of times', collectList)
    .option('--calendar <file>', 'calendar in ICS form: it does not fire during its events; "" for none')
    .option('--not-before <time>', 'it does not fire before this time, such as 2027-01-01T00:00:00Z; "" for none')
    .option('--not-after <time>', 'it does not fire after this time; "" for none')
}

export function withScheduleOptions(command: Command): Command {
  return withTimingOptions(command)
    .option('-t, --team <path>', 'team that owns it')
    .option('-p, --pipeline <pipeline>', 'identifier of the pipeline that it starts')
    .option('--scope <scope>', "scope of its runs (default: the only environment of the pipeline's team)")
    .option('--run-team <path>', 'team that hears of its runs; "" for the team of the pipeline')
    .option('--var <name=value>', 'variables of its runs; any number of times', collectPair)
    .option('-r, --repository <name>', 'repository that its tasks check out, such as acme/shop; "" for none')
    .option('--ref <ref>', 'branch or tag of --repository, read at each fire; "" for none')
    .addOption(new Option('--overlap <policy>', 'while an earlier run of it has not finished').choices(OVERLAP))
    .addOption(new Option('--misfire <policy>', 'which instants fire that are later than --grace').choices(MISFIRE))
    .option('--grace <length>', 'how late a fire may be, such as 90s or 5m (default: 5m)', readDuration)
    .option('--window <length>', 'how far back --misfire last and all reach (default: 24h)', readDuration)
}

/** The options of the fields, as messages name them. */
const FLAGS: Readonly<Record<string, string>> = {
  path: '--team',
  pipeline: '--pipeline',
  scope: '--scope',
  run_team_path: '--run-team',
  variables: '--var',
  repository: '--repository',
  ref: '--ref',
  schedule_kind: '--cron or --at',
  cron_expression: '--cron',
  run_at: '--at',
  timezone: '--timezone',
  dst_policy: '--dst',
  spread: '--spread',
  exclude_dates: '--exclude-date',
  calendar: '--calendar',
  not_before: '--not-before',
  not_after: '--not-after',
  overlap_policy: '--overlap',
  misfire_policy: '--misfire',
  misfire_grace_seconds: '--grace',
  misfire_window_seconds: '--window',
}

/** The fields of the API that a file and options give, and how a message names one. */
export interface GivenFields {
  readonly fields: Readonly<Record<string, unknown>>
  /** The option of a field such as `exclude_dates[2]` or `variables.LEVEL`; the field itself where the file gives it. */
  readonly flagOf: (field: string) => string
}

/** Fields as the API names them; options win over the file. */
export async function readScheduleFields(context: Context, options: ScheduleOptions): Promise<GivenFields> {
  const file = options.file === undefined ? {} : await readFields(context, options.file)
  const chosen = {
    ...(await readTiming(context, options)),
    path: options.team,
    pipeline: options.pipeline,
    scope: options.scope,
    run_team_path: orNull(options.runTeam),
    variables: options.var,
    repository: orNull(options.repository),
    ref: orNull(options.ref),
    overlap_policy: options.overlap,
    misfire_policy: options.misfire,
    misfire_grace_seconds: options.grace,
    misfire_window_seconds: options.window,
  }
  const given = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined))
  return {
    fields: withKind({ ...file, ...given }),
    flagOf(field) {
      const [, base = field, name] = /^(\w+)(?:\.(.+))?/.exec(field) ?? []
      const flag = base in file && !(base in given) ? undefined : FLAGS[base]
      if (flag === undefined) return field
      return name === undefined ? flag : `${flag} ${name}`
    },
  }
}

async function readTiming(context: Context, options: TimingOptions): Promise<Record<string, unknown>> {
  const { cron, at, calendar } = options
  if (cron !== undefined && at !== undefined) throw new CommandFailed('usage', '--cron and --at exclude each other.')
  return {
    ...(cron === undefined ? {} : { schedule_kind: 'recurring', cron_expression: cron, run_at: null }),
    ...(at === undefined ? {} : { schedule_kind: 'one_time', run_at: at, cron_expression: null }),
    timezone: options.timezone,
    dst_policy: options.dst,
    spread: orNull(options.spread),
    exclude_dates: options.excludeDate,
    calendar: calendar === undefined || calendar === '' ? orNull(calendar) : await readDocument(context, calendar),
    not_before: orNull(options.notBefore),
    not_after: orNull(options.notAfter),
  }
}

/** A file need not say what its time says already. */
function withKind(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (fields['schedule_kind'] !== undefined) return fields
  if (typeof fields['cron_expression'] === 'string') return { ...fields, schedule_kind: 'recurring' }
  return typeof fields['run_at'] === 'string' ? { ...fields, schedule_kind: 'one_time' } : fields
}

function orNull(text: string | undefined): string | null | undefined {
  return text === '' ? null : text
}
