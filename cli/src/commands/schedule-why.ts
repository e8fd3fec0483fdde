import { explainRoutes } from '@signalbox/contracts/schedules/routes'
import type { Command } from 'commander'
import { escapeText } from '../output/escape.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { namingFlags } from './schedule-refusal.ts'
import { SCHEDULE } from './schedule-show.ts'

const FLAGS = { flagOf: (field: string) => (field === 'at' ? '--at' : field) }

/** `schedule why`, and `why schedule`: sentences, with the ids of the fires and runs that prove them. */
export function whyCommand(context: Context, name = 'why'): Command {
  return apiCommand(name, 'explain why a schedule fired or did not fire at an instant')
    .argument('<schedule>', SCHEDULE.named)
    .option('--at <time>', 'such as 2027-01-01T02:30: local time of the schedule, or with an offset (default: now)')
    .action(async (schedule: string, options: ApiOptions & { at?: string }) => {
      const query = { schedule, at: options.at }
      const client = context.connect(options)
      const found = await namingFlags(options, FLAGS, () => client.call(explainRoutes.explainSchedule, { query }))
      if (options.json) return context.printJson(found)
      for (const { text, evidence } of found.sentences) {
        const ids = evidence.filter(({ kind, id }) => kind !== 'schedule' && !text.includes(id))
        const proof = ids.map(({ kind, id }) => `${kind} ${id}`).join(', ')
        context.printLine(escapeText(proof === '' ? text : `${text} (${proof})`))
      }
    })
}
