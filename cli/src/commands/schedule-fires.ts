import type { FireQuery, ScheduleFire } from '@signalbox/contracts/schedules'
import { fireRoutes } from '@signalbox/contracts/schedules/routes'
import { type Command, Option } from 'commander'
import { toneOf } from '../output/style.ts'
import { apiCommand, type Context } from './context.ts'
import { type ListOptions, type ListPrint, printList, withLimit } from './listing.ts'
import { readPast } from './parse-arguments.ts'
import { SCHEDULE } from './schedule-show.ts'
import { formatUtc } from './schedule-times.ts'

const OUTCOMES = [
  'pending',
  'started',
  'missed',
  'skipped_overlap',
  'denied',
  'invalid',
  'canceled',
] as const satisfies readonly ScheduleFire['outcome'][]

/** `schedule fires`: what became of each instant. */
export function firesCommand(context: Context): Command {
  return withLimit(apiCommand('fires', 'list what became of each instant of a schedule, newest first'), 20)
    .argument('<schedule>', SCHEDULE.named)
    .addOption(new Option('--outcome <outcome>', 'only with this outcome').choices(OUTCOMES))
    .option('--since <time>', 'planned at this time and later, such as 2027-01-01T00:00:00Z, or 7d ago as 7d', readPast)
    .option('--until <time>', 'planned before this time, in the same form', readPast)
    .action((id: string, { outcome, since, until, ...options }: ListOptions & FireFilter) => {
      const fires = {
        operation: fireRoutes.listFires,
        params: { id },
        query: { outcome, since, until },
        columns: [
          ['planned', describePlanned],
          ['kind', ({ kind }) => (kind === 'scheduled' ? '' : kind)],
          ['outcome', (fire) => ({ text: fire.outcome, tone: toneOf(fire.outcome) })],
          ['run', ({ run_id }) => run_id ?? ''],
          ['reason', ({ reason }) => reason ?? ''],
        ],
      } satisfies ListPrint<typeof fireRoutes.listFires>
      return printList(context, context.connect(options), fires, options)
    })
}

type FireFilter = Pick<FireQuery, 'outcome' | 'since' | 'until'>

/** After a long downtime one record stands for many instants. */
function describePlanned({ planned_at: planned, missed_until: last, missed_count: count }: ScheduleFire): string {
  return last === null ? formatUtc(planned) : `${formatUtc(planned)} to ${formatUtc(last)} (${count})`
}
