import type { SchedulePreview } from '@signalbox/contracts/schedules'
import { scheduleRoutes } from '@signalbox/contracts/schedules/routes'
import type { Command } from 'commander'
import { rawJson } from '../client/operations.ts'
import { CommandFailed } from '../errors.ts'
import { apiCommand, type Context } from './context.ts'
import { readMoment, readPreviewLimit } from './parse-arguments.ts'
import { readScheduleFields, type TimingOptions, withTimingOptions } from './schedule-fields.ts'
import { namingFlags } from './schedule-refusal.ts'
import { SCHEDULE } from './schedule-show.ts'
import { printOccurrences } from './schedule-times.ts'

const TIMING = [
  'schedule_kind',
  'cron_expression',
  'run_at',
  'timezone',
  'dst_policy',
  'spread',
  'exclude_dates',
  'calendar',
  'not_before',
  'not_after',
]

interface PreviewOptions extends TimingOptions {
  readonly from?: string
  readonly limit: number
}

export function previewCommand(context: Context): Command {
  return withTimingOptions(apiCommand('preview', 'show when a schedule would fire; nothing is saved'))
    .argument('[schedule]', `a saved schedule to begin with: ${SCHEDULE.named}`)
    .option('--from <time>', 'instants after this time, such as 2027-01-01T00:00:00Z (default: now)', readMoment)
    .option('--limit <n>', 'how many instants, up to 200', readPreviewLimit, 10)
    .action(async (schedule: string | undefined, options: PreviewOptions) => {
      const given = await readScheduleFields(context, options)
      const timing = Object.entries(given.fields).filter(([field]) => TIMING.includes(field))
      if (schedule === undefined && !timing.some(([field]) => field === 'schedule_kind')) {
        throw new CommandFailed('usage', 'A preview needs --cron, --at or a schedule.')
      }
      const body = { ...Object.fromEntries(timing), schedule, from: options.from, limit: options.limit }
      const client = context.connect(options)
      const preview = await namingFlags(options, given, () =>
        client.call(scheduleRoutes.previewSchedule, { raw: rawJson(body) }),
      )
      if (options.json) return context.printJson(preview)
      context.printFields([['when', preview.words]])
      printOccurrences(context, preview.instants)
      if (preview.instants.length === 0) context.printNote('The schedule never fires after that.', 'warn')
      if (isGuess(preview, given.fields['cron_expression'])) {
        context.printNote('A saved schedule has a spread and an H of its own: its instants are others.', 'warn')
      }
    })
}

/** H and spread depend on the id, which a schedule gets when it is saved. */
function isGuess({ spread_known: known, instants }: SchedulePreview, expression: unknown): boolean {
  if (known) return false
  return instants.some(({ marks }) => marks.includes('spread')) || /\bH\b/.test(String(expression ?? ''))
}
