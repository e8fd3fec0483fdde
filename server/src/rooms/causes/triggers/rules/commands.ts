/** Reserved: it cancels what the trigger started for the pull request. */
export const CANCEL = '/cancel'

const MAX_COMMAND = 100
const COMMAND = /^\/[^\s\p{C}]+(?: [^\s\p{C}]+)*$/u

/** Why this cannot be a command, as the end of a sentence; undefined when it can. */
export function findCommandFault(command: string): string | undefined {
  if (command.length > MAX_COMMAND) return `is longer than ${MAX_COMMAND} characters`
  if (!COMMAND.test(command))
    return 'must begin with "/" and hold words with single spaces between them, such as /retest'
  if (command.startsWith(`${CANCEL} `)) return `${CANCEL} is reserved and takes no further words: write ${CANCEL}`
  return undefined
}

/** The first line of a comment that is not empty, without what is blank at its end; null where all are. */
export function firstLineOf(body: string): string | null {
  const line = body.split(/\r\n|\r|\n/).find((each) => each.trim() !== '')
  return line === undefined ? null : line.trimEnd()
}

/** The longest command that the line is, or that it begins with before a space; capitals count. */
export function findCommand(commands: readonly string[], line: string | null): string | null {
  if (line === null) return null
  const fitting = commands.filter((command) => line === command || line.startsWith(`${command} `))
  return fitting.reduce<string | null>(
    (best, each) => (best !== null && best.length >= each.length ? best : each),
    null,
  )
}
