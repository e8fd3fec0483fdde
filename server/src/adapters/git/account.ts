/** The account under which git runs; undefined: our own. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/** The account after those of tasks: Debian and systemd leave it free, and no runner gives it away by default. */
const GIT_ACCOUNT: Account = { uid: 61_183, gid: 61_183 }

/**
 * Git never runs as root: a server that breaks it would have the machine. The account owns nothing but the folder of the
 * repository that is being read.
 */
export function chooseAccount(): Account | undefined {
  return process.getuid?.() === 0 ? GIT_ACCOUNT : undefined
}
