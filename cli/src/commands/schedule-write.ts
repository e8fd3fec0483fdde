import type { Schedule } from '@signalbox/contracts/schedules'
import { scheduleRoutes } from '@signalbox/contracts/schedules/routes'
import type { Command } from 'commander'
import type { Client } from '../client/client.ts'
import { rawJson } from '../client/operations.ts'
import { CommandFailed } from '../errors.ts'
import { apiCommand, type Context } from './context.ts'
import { splitName } from './parse-arguments.ts'
import { readScheduleFields, type ScheduleOptions, withScheduleOptions } from './schedule-fields.ts'
import { namingFlags } from './schedule-refusal.ts'
import { SCHEDULE } from './schedule-show.ts'
import { printOccurrences } from './schedule-times.ts'

const NEEDED = {
  name: 'a name',
  path: '--team',
  pipeline: '--pipeline',
  schedule_kind: '--cron or --at',
}

export function createCommand(context: Context): Command {
  return withScheduleOptions(apiCommand('create', 'create a schedule; its runs start on your behalf'))
    .argument('[name]', 'unique in its team, or <team path>/<name>')
    .option('--disabled', 'it does not fire yet')
    .action(async (named: string | undefined, options: ScheduleOptions & { disabled?: boolean }) => {
      const given = await readScheduleFields(context, options)
      const body: Record<string, unknown> = {
        ...given.fields,
        ...(named === undefined ? {} : readName(named)),
        ...(options.disabled ? { enabled: false } : {}),
      }
      const missing = Object.entries(NEEDED).flatMap(([field, flag]) => (body[field] === undefined ? [flag] : []))
      if (missing.length > 0) throw new CommandFailed('usage', `A schedule needs ${missing.join(', ')}.`)
      const client = context.connect(options)
      const made = await namingFlags(options, given, () =>
        client.call(scheduleRoutes.createSchedule, { raw: rawJson(body) }),
      )
      if (options.json) return context.printJson(made)
      context.printNote(`Schedule ${made.identifier} is created; it starts ${made.pipeline} in ${made.scope}.`)
      return printTimes(context, client, made)
    })
}

export function updateCommand(context: Context): Command {
  return withScheduleOptions(apiCommand('update', 'change the given fields of a schedule; you become its owner'))
    .argument('<schedule>', SCHEDULE.named)
    .option('--name <name>', 'another name')
    .action(async (id: string, options: ScheduleOptions & { name?: string }) => {
      const given = await readScheduleFields(context, options)
      const body = { ...given.fields, ...(options.name === undefined ? {} : { name: options.name }) }
      if (Object.keys(body).length === 0) throw new CommandFailed('usage', 'No option says what to change.')
      const client = context.connect(options)
      const changed = await namingFlags(options, given, () =>
        client.call(scheduleRoutes.updateSchedule, { params: { id }, raw: rawJson(body) }),
      )
      if (options.json) return context.printJson(changed)
      context.printNote(`Schedule ${changed.identifier} is changed.`)
      return printTimes(context, client, changed)
    })
}

function readName(named: string): { readonly name: string; readonly path?: string } {
  if (!named.includes('/')) return { name: named }
  const [path, name] = splitName(named, 'a name or <team path>/<name>')
  return { path, name }
}

/** Prints the timing as the server understood it, and the next instants. */
async function printTimes(context: Context, client: Client, { id, enabled }: Schedule): Promise<void> {
  const { words, upcoming } = await client.call(scheduleRoutes.getSchedule, { params: { id } })
  context.printFields([['when', words]])
  if (enabled) printOccurrences(context, upcoming)
  else context.printNote('The schedule is disabled: `signalbox schedule enable` lets it fire.', 'warn')
}
