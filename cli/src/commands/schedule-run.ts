import { scheduleRoutes } from '@signalbox/contracts/schedules/routes'
import type { Command } from 'commander'
import { apiCommand, type Context } from './context.ts'
import { SCHEDULE } from './schedule-show.ts'
import { type AwaitOptions, tellStarted, withAwaitOptions } from './started-run.ts'

export function runNowCommand(context: Context): Command {
  const command = apiCommand('run', 'start a run now as the schedule would, on your behalf, and print its id')
  return withAwaitOptions(command.argument('<schedule>', SCHEDULE.named)).action(
    async (id: string, options: AwaitOptions) => {
      const client = context.connect(options)
      const started = await client.call(scheduleRoutes.runSchedule, { params: { id } })
      return tellStarted(context, client, started, options)
    },
  )
}
