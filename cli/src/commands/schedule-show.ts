import type { ScheduleDetail } from '@signalbox/contracts/schedules'
import { scheduleRoutes } from '@signalbox/contracts/schedules/routes'
import type { Command } from 'commander'
import { ago, between, formatDuration } from '../output/durations.ts'
import { toneOf } from '../output/style.ts'
import type { Field } from '../output/table.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { enabledCell, printItems } from './listing.ts'
import { formatUtc, printOccurrences } from './schedule-times.ts'

export const SCHEDULE = { noun: 'schedule', named: 'id, or <team path>/<name>' }

export function showCommand(context: Context): Command {
  return apiCommand('show', 'show a schedule with its next instants and its last runs')
    .alias('get')
    .argument('<schedule>', SCHEDULE.named)
    .action(async (id: string, options: ApiOptions) => {
      const found = await context.connect(options).call(scheduleRoutes.getSchedule, { params: { id } })
      if (options.json) return context.printJson(found)
      context.printFields(fieldsOf(found, Date.now()))
      if (found.upcoming.length > 0) {
        context.printLine('')
        printOccurrences(context, found.upcoming)
      }
      if (found.recent_runs.length === 0) return
      context.printLine('')
      printItems(context, found.recent_runs, [
        ['run', ({ run_id }) => run_id],
        ['status', ({ status }) => ({ text: status, tone: toneOf(status) })],
        ['for', ({ scheduled_at }) => formatUtc(scheduled_at ?? '')],
        ['took', (run, now) => between(run.started_at, run.finished_at, now)],
        ['queued', ({ queued_at }, now) => ago(queued_at, now)],
      ])
    })
}

function fieldsOf(found: ScheduleDetail, now: number): readonly Field[] {
  const { last_outcome: outcome, calendar, variables } = found
  return [
    ['schedule', found.identifier],
    ['id', found.id],
    ['state', enabledCell(found)],
    ['when', found.words],
    ['expression', found.cron_expression ?? ''],
    ['time', found.run_at ?? ''],
    ['zone', found.timezone],
    ['spread', found.spread ?? ''],
    ['not before', found.not_before ?? ''],
    ['not after', found.not_after ?? ''],
    ['excludes', found.exclude_dates.join(', ')],
    ['calendar', calendar === null ? '' : `${calendar.match(/^BEGIN:VEVENT/gim)?.length ?? 0} events`],
    ['repeated time', found.dst_policy],
    ['overlap', found.overlap_policy],
    ['missed', describeMisfire(found)],
    ['starts', `${found.pipeline} in ${found.scope}`],
    [
      'variables',
      Object.entries(variables)
        .map((pair) => pair.join('='))
        .join(', '),
    ],
    ['repository', found.repository === null ? '' : `${found.repository} at ${found.ref ?? ''}`],
    ['heard by', found.run_team_path ?? ''],
    ['owner', found.owner.name],
    [
      'last fire',
      found.last_fire_at === null ? '' : `${formatUtc(found.last_fire_at)}, ${ago(found.last_fire_at, now)}`,
    ],
    ['outcome', outcome === null ? '' : { text: outcome, tone: toneOf(outcome) }],
    ['reason', found.last_reason ?? ''],
    ['last run', found.last_run_id ?? ''],
  ]
}

function describeMisfire(found: ScheduleDetail): string {
  const grace = `later than ${formatDuration(found.misfire_grace_seconds * 1000)}`
  const window = `within ${formatDuration(found.misfire_window_seconds * 1000)}`
  switch (found.misfire_policy) {
    case 'skip':
      return `skip what is ${grace}`
    case 'last':
      return `of what is ${grace}, fire the last ${window}`
    default:
      return `fire all that is ${grace}, ${window}`
  }
}
