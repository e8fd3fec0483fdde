import { scheduleRoutes } from '@signalbox/contracts/schedules/routes'
import { type Command, Option } from 'commander'
import { until } from '../output/durations.ts'
import { toneOf } from '../output/style.ts'
import { type ApiOptions, apiCommand, type Context, group } from './context.ts'
import { enabledCell, listCommand, queryOfTeam, type TeamListOptions, teamOption } from './listing.ts'
import { deleteOf } from './resource.ts'
import { backfillCommand } from './schedule-backfill.ts'
import { firesCommand } from './schedule-fires.ts'
import { previewCommand } from './schedule-preview.ts'
import { runNowCommand } from './schedule-run.ts'
import { SCHEDULE, showCommand } from './schedule-show.ts'
import { whyCommand } from './schedule-why.ts'
import { createCommand, updateCommand } from './schedule-write.ts'

const schedules = { ...SCHEDULE, delete: scheduleRoutes.deleteSchedule }

export function scheduleCommand(context: Context): Command {
  return group('schedule', 'schedules: what starts by the clock', [
    listOf(context),
    showCommand(context),
    createCommand(context),
    updateCommand(context),
    switchCommand(context, 'enable'),
    switchCommand(context, 'disable'),
    deleteOf(
      context,
      schedules,
      'delete a schedule and its history; its runs continue',
      'The history of the schedule is deleted too.',
    ),
    runNowCommand(context),
    previewCommand(context),
    firesCommand(context),
    backfillCommand(context),
    whyCommand(context),
  ])
}

function listOf(context: Context): Command {
  return listCommand(context, {
    description: 'list the schedules that you may see',
    operation: scheduleRoutes.listSchedules,
    options: [
      teamOption(),
      new Option('--enabled', 'only those that fire').conflicts('disabled'),
      new Option('--disabled', 'only those that do not fire'),
    ],
    query: ({ enabled, disabled, ...options }: TeamListOptions & { enabled?: boolean; disabled?: boolean }) => ({
      ...queryOfTeam(options),
      enabled: enabled ? true : disabled ? false : undefined,
    }),
    columns: [
      ['schedule', ({ identifier }) => identifier],
      ['when', (each) => `${each.cron_expression ?? each.run_at ?? ''} ${each.timezone}`],
      ['next', ({ next_fire_at: next }, now) => (next === null ? '' : until(next, now))],
      ['last', ({ last_outcome: last }) => ({ text: last ?? '', tone: toneOf(last ?? '') })],
      ['pipeline', ({ pipeline }) => pipeline],
      ['scope', ({ scope }) => scope],
      ['', enabledCell],
    ],
  })
}

function switchCommand(context: Context, name: 'enable' | 'disable'): Command {
  const enables = name === 'enable'
  const description = enables
    ? 'let a schedule fire from now on, on your behalf; nothing is made up for'
    : 'let a schedule fire no more; its runs continue'
  return apiCommand(name, description)
    .argument('<schedule>', SCHEDULE.named)
    .action(async (id: string, options: ApiOptions) => {
      const client = context.connect(options)
      const { enableSchedule, disableSchedule } = scheduleRoutes
      const changed = await client.call(enables ? enableSchedule : disableSchedule, { params: { id } })
      if (options.json) return context.printJson(changed)
      const next = changed.next_fire_at === null ? '' : `; it fires next at ${changed.next_fire_at}`
      return context.printNote(`Schedule ${changed.identifier} is ${enables ? 'enabled' : 'disabled'}${next}.`)
    })
}
