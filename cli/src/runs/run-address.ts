import { CommandFailed } from '../errors.ts'

const RUN_ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i

/** The id of a run, from the id itself or from the address of its page. */
export function runIdOf(text: string): string {
  const id = RUN_ID.exec(text)?.[0]
  if (id !== undefined) return id.toLowerCase()
  throw new CommandFailed('usage', `${text} is no run.`, 'Give the id of a run, or the address of its page.')
}
