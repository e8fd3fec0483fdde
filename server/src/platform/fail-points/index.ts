import { existsSync } from 'node:fs'

/**
 * Named places at which a test may kill the process, each between two durable steps.
 * In production no point is armed and `hit` is an empty function call.
 */
export interface FailPoints {
  hit(name: FailPoint): void
}

/** Every point, with the fault that it reproduces. */
export const FAIL_POINTS = {
  'ingress.before_commit': 'a delivery was verified and matched, nothing of it is stored',
  'ingress.after_commit': 'a delivery is stored, its sender has no answer and will send it again',
  'events.before_read': 'an event waits for its repository, nothing was read',
  'events.before_commit': 'the repository was read, nothing of what it starts is stored',
  'events.after_commit': 'what the repository starts is stored, the job is not marked as done and will run again',
  'artifacts.part_stored': 'a part of an archive is in the object store and not recorded yet',
  'sources.before_report': 'a status is held and about to be told to its provider',
  'sources.after_report': 'the provider took a status, nobody knows that it did',
  'reports.after_check': 'the provider made a check, its id is not stored',
  'reports.after_annotations': 'the provider took annotations of a check, nobody knows that it did',
  'reports.before_comment': 'the comment of a pull request is held and about to be written',
  'reports.after_comment': 'the comment of a pull request is written, nobody knows that it is',
  'commands.before_commit': 'a command of a comment is carried out, its transaction is not committed',
  'commands.after_commit': 'a command is carried out and marked as done, nobody was told',
  'commands.after_answer': 'the provider took the answer to a command, nobody knows that it did',
  'recovery.before_request': 'a missed delivery is counted as asked for, its provider was not asked',
  'recovery.after_request': 'a provider took the request to send again, nobody knows that it did',
  'recovery.after_note': 'heads that nobody told of are noted, no event of one is made',
  'recovery.before_make': 'an event is about to be made of a head that nobody told of',
  'recovery.after_make': 'an event of a head is stored with its runs, the look goes on',
  'schedules.before_commit': 'a schedule is due, neither its fire nor its run is stored',
  'schedules.after_commit': 'a fire and its run are stored, nobody was told',
  'schedules.backfill_before_commit': 'an instant of a backfill is about to start, neither that nor its run is stored',
  'external_triggers.before_commit': 'a fire was verified and judged, neither its run nor its answer is stored',
  'external_triggers.after_commit': 'a run and the answer to its fire are stored, the sender was not told',
  'plans.before_write': 'a plan is judged and about to be carried out, nothing is written',
  'plans.before_commit': 'a write and the end of its plan are written, the transaction is not committed',
  'plans.after_commit': 'a write is stored with the end of its plan, nobody was told what it answered',
  'git_apps.before_exchange': 'the state of a registration is spent, the provider was not asked for the app',
  'git_apps.after_exchange': 'the provider gave the app and its key, nothing of it is stored',
  'git_apps.after_answer': 'the answer of the provider with the key is stored with its registration, no app is',
  'git_apps.before_commit': 'an app, its keys and its source are written, the transaction is not committed',
  'git_apps.after_commit': 'an app is stored, the browser was not told',
  'dispatch.before_commit': 'a run is about to start, its attempts are not stored',
  'dispatch.after_commit': 'attempts are leased, the runner was not told',
  'progress.before_commit': 'a runner finished a task, the result is not stored',
  'progress.after_commit': 'a result is stored, the runner has no acknowledgement and next tasks were not sent',
  'logs.before_commit': 'log lines arrived, they are not stored',
  'logs.after_commit': 'log lines are stored, the runner has no acknowledgement and will send them again',
  'logs.before_pack': 'rows of a log were put together, the transaction is not committed',
  'logs.after_pack': 'a row of a log was put together, others are still small',
  'logs.before_scrub': 'a row of a log was rewritten, the transaction is not committed',
  'facts.before_reaction': 'a fact is stored, its reaction has not begun',
  'facts.after_reaction': 'a reaction is done, the job is not marked as done and will run again',
} as const

export type FailPoint = keyof typeof FAIL_POINTS

export const noFailPoints: FailPoints = { hit: () => undefined }

/**
 * `armed` is `<name>` or `<name>:<n>`: the process dies by SIGKILL at the n-th hit (default the first). With `@<file>`
 * behind it, hits count only while the file exists, so that a start can go on after an earlier death. Throws on an
 * unknown name, so that a test cannot pass because of a misspelling.
 */
export function createFailPoints(armed: string | undefined): FailPoints {
  if (!armed) return noFailPoints
  const [what = '', file] = armed.split('@')
  const [name = '', count = '1'] = what.split(':')
  if (!(name in FAIL_POINTS)) throw new Error(`Unknown fail point "${name}"`)
  let left = Number(count)
  return {
    hit(point) {
      if (point !== name || (file !== undefined && !existsSync(file))) return
      left -= 1
      if (left === 0) process.kill(process.pid, 'SIGKILL')
    },
  }
}
