import type { Command } from 'commander'
import { type Context, group } from './context.ts'
import { whyCommand as whyScheduleCommand } from './schedule-why.ts'
import { whyAccessCommand } from './why-access.ts'
import { whyFailureCommand } from './why-failure.ts'
import { whyPushCommand } from './why-push.ts'
import { whyChangesCommand, whyRunCommand } from './why-run.ts'

/** `why <question>`: explanations, each sentence with the ids of what it rests on. */
export function whyCommand(context: Context): Command {
  return group('why', 'explanations: why something happened, or did not', [
    whyPushCommand(context),
    whyScheduleCommand(context, 'schedule'),
    whyRunCommand(context),
    whyFailureCommand(context),
    whyChangesCommand(context),
    whyAccessCommand(context),
  ])
}
